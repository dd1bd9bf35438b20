// Why a finished job has ended as it did, from its record alone: events may come later or not at all.
import type { JobModel, Rule } from '../../../core/job-model.ts'
import { slotKey } from '../../../core/slots.ts'
import { counted } from '../words.ts'
import type { JobView } from './job-view.ts'
import type { Replica } from './replica-view.ts'

/** `master-0 finished, and master-0 decides`. */
export function reasonOf(view: JobView): string {
  const { model, record } = view
  switch (record.finishedBy) {
    case 'Success': {
      const rule = ruleThatHolds(view, model.success, 'Succeeded')
      if (!rule) return 'its success rule holds'
      if (model.kind === 'GenericJob') return `the success rule ${rule.text} holds`
      return `${rule.text} finished, and ${rule.text} ${rule.slots.length > 1 ? 'decide' : 'decides'}`
    }
    case 'Failure': {
      const rule = ruleThatHolds(view, model.failure, 'Failed')
      if (rule && model.kind === 'GenericJob') return `the failure rule ${rule.text} holds`
      const failed = rule ? view.replicas.find(({ place }) => place.key === slotKey(rule.slots[0]!)) : firstToFail(view)
      return failed ? `${failed.place.key} failed${failed.end ? `: ${failed.end.words}` : ''}` : messageOf(view)
    }
    case 'BackoffLimit':
      return `all ${model.backoffLimit} restarts are used up`
    case 'Deadline':
      return `it was active longer than activeDeadlineSeconds (${model.activeDeadlineSeconds})`
    default:
      return messageOf(view)
  }
}

function messageOf({ record, phase }: JobView): string {
  const told = record.conditions?.find(({ type, status }) => type === phase && status === 'True')
  const message = (told ?? record.conditions?.find(({ type }) => type === 'Completed'))?.message
  return message?.replace(/\.$/, '') ?? `it has ${phase}`
}

function ruleThatHolds(view: JobView, rules: readonly Rule[], phase: 'Succeeded' | 'Failed'): Rule | undefined {
  const states = new Map(view.replicas.map(({ place }) => [place.key, view.entryOf(place)?.phase]))
  return rules.find(({ slots }) => slots.length > 0 && slots.every((slot) => states.get(slotKey(slot)) === phase))
}

/** Failed and not started again, by the time their processes ended. */
export function failedInOrder(view: JobView): Replica[] {
  return view.replicas
    .filter(({ state, end }) => state === 'Failed' && end !== undefined && end.exitCode !== 0)
    .sort((a, b) => a.end!.at - b.end!.at)
}

export function firstToFail(view: JobView): Replica | undefined {
  return failedInOrder(view)[0]
}

/** `1 restart (worker-1)`; empty where there was none. */
export function restartWords(view: JobView, named: boolean): string {
  const restarted = view.replicas.filter(({ place }) => (view.entryOf(place)?.restartCount ?? 0) > 0)
  const count = restarted.reduce((sum, { place }) => sum + (view.entryOf(place)?.restartCount ?? 0), 0)
  if (count === 0) return ''
  const names = restarted.slice(0, 3).map(({ place }) => place.key)
  const more = restarted.length > 3 ? ` and ${restarted.length - 3} more` : ''
  return ` ${counted(count, 'restart')}${named ? ` (${names.join(', ')}${more})` : ''}.`
}

/** Why a failed replica was left as it was. */
export function whyNotAgain(view: JobView, model: JobModel, { place }: Replica): string | undefined {
  const { restartPolicy, limitPerReplica } = place.role
  if (restartPolicy === 'Never') return 'It was not started again: restartPolicy is Never.'
  const restarts = view.entryOf(place)?.restartCount ?? 0
  if (limitPerReplica === 0 || model.backoffLimit === 0) return 'It was not started again: no restarts are allowed.'
  if (limitPerReplica !== undefined && restarts >= limitPerReplica)
    return `It was not started again: all ${counted(limitPerReplica, 'restart')} of it are used up.`
  const spent = view.record.backoffCount ?? 0
  if (model.backoffLimit !== undefined && spent >= model.backoffLimit)
    return `It was not started again: all ${counted(model.backoffLimit, 'restart')} of the job are used up.`
  if (restartPolicy === 'ExitCode')
    return 'It was not started again: restartPolicy ExitCode takes its exit code for final.'
  return undefined
}
