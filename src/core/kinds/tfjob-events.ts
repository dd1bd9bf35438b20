// The engine's reasons in Kubeflow's words, which dashboards and scripts of TFJob users know.

import { groupBy } from '../../lib/group-by.ts'
import type { Action, CreatedKind, Reason } from '../decision.ts'
import type { JobModel } from '../job-model.ts'
import type { Replica } from '../replicas.ts'
import { invalidSpec, restartedTypes } from './tfjob-status.ts'

const NAMES_IN_AN_EVENT = 10

export function speakKubeflow(
  model: JobModel,
  reasons: readonly Reason[],
  replicas: readonly Replica[],
  actions: readonly Action[],
): Reason[] {
  return [...translate(model, reasons, replicas), ...tellObjects(actions)]
}

function translate(model: JobModel, reasons: readonly Reason[], replicas: readonly Replica[]): Reason[] {
  const about = `TFJob ${model.name}`
  const byKey = new Map(replicas.map((replica) => [replica.place.key, replica]))
  return reasons.map((reason): Reason => {
    const { quiet } = reason
    const keep = { word: reason.word ?? reason.event, short: reason.short ?? reason.message, ...(quiet && { quiet }) }
    const say = (event: string, message: string, type = reason.type): Reason => ({
      object: reason.object,
      type,
      event,
      message,
      ...keep,
    })
    switch (reason.event) {
      case 'NewReplica':
        return say(
          'SuccessfulCreatePod',
          reason.message.replace(/^Create the replica\[(.*?)\](.*) for the first time\.$/, 'Created pod: $1$2'),
        )
      // Kubeflow has conditions for these, and no events.
      case 'Created':
      case 'Running':
        return { ...reason, quiet: true }
      case 'ReplicaFailed':
      case 'ReplicaSucceeded':
        return say('ExitedWithCode', exitedWithCode(model, byKey.get(reason.object)), 'Normal')
      case 'RestartReplica': {
        const restarted = restartedTypes({ replicas, reasons: [reason] })
        return say('TFJobRestarting', `${about} is restarting because ${restarted} replica(s) failed.`, 'Warning')
      }
      case 'Paused':
        return say('TFJobSuspended', `${about} is suspended.`)
      case 'Resumed':
        return say('TFJobResumed', `${about} is resumed.`)
      case 'Succeeded':
        return say('TFJobSucceeded', `${about} successfully completed.`)
      case 'Failed':
      case 'DeadlineExceeded':
        return say('TFJobFailed', failedBecause(about, reason, replicas), 'Normal')
      case 'Doubtful':
        return doubtAboutTemplate(model, reason) ?? reason
      case 'InvalidSpec':
        return say('InvalidTFJobSpec', invalidSpec(reason.message))
      default:
        return reason
    }
  })
}

/** What Kubeflow says of a pod template that sets what the job decides. */
function doubtAboutTemplate(model: JobModel, reason: Reason): Reason | undefined {
  const [, field] = /\.template\.spec\.(restartPolicy|schedulerName): /.exec(reason.message) ?? []
  if (field === undefined) return undefined
  const v1 = model.environment.framework === 'tfjob' && model.environment.edition === 'v1'
  const set = v1 ? 'SetPodTemplate' : 'SettedPodTemplate'
  const message =
    field === 'restartPolicy'
      ? 'Restart policy in pod template will be overwritten by restart policy in replica spec'
      : 'Another scheduler is specified when gang-scheduling is enabled and it will not be overwritten'
  return { ...reason, event: field === 'restartPolicy' ? `${set}RestartPolicy` : `${set}SchedulerName`, message }
}

/** Pods that are created are told of by the engine itself; all else in the same way, one event for all of a pass. */
function tellObjects(actions: readonly Action[]): Reason[] {
  const created = actions.flatMap((action) =>
    action.verb === 'create' && action.kind === 'Service' ? [action.object.metadata.name ?? ''] : [],
  )
  const pods = actions.some((action) => action.verb === 'create' && action.kind === 'Pod')
  const deleted = actions.filter((action) => action.verb === 'delete')
  const gone = (kind: CreatedKind): string[] => deleted.filter((action) => action.kind === kind).map(({ name }) => name)
  return [
    // A replica's Service bears its pod's name: one event is enough for both.
    ...tellOf('SuccessfulCreateService', 'Created service', created).map((reason) => (pods ? quietly(reason) : reason)),
    ...tellOf('SuccessfulDeletePod', 'Deleted pod', gone('Pod')),
    ...tellOf('SuccessfulDeleteService', 'Deleted service', gone('Service')),
    ...tellOf('SuccessfulDeletePodGroup', 'Deleted pod group', gone('PodGroup')),
  ]
}

function quietly(reason: Reason): Reason {
  return { ...reason, quiet: true }
}

function tellOf(event: string, what: string, all: readonly string[]): Reason[] {
  if (all.length === 0) return []
  const names = all.slice(0, NAMES_IN_AN_EVENT)
  const more = all.length > names.length ? ` and ${all.length - names.length} more, ${all.length} in all` : ''
  const [word, thing] = [what.slice(0, 7), what.slice(8)]
  return [
    {
      object: 'job',
      type: 'Normal',
      event,
      message: `${what}: ${names.join(', ')}${more}`,
      word,
      short: `${all.length} ${thing}${all.length > 1 ? 's' : ''}`,
    },
  ]
}

function exitedWithCode(model: JobModel, replica: Replica | undefined): string {
  const code = replica?.look.is === 'ended' ? replica.look.exitCode : undefined
  return `Pod: ${model.namespace}.${replica?.place.podName} exited with code ${code ?? 'unknown'}`
}

function failedBecause(about: string, reason: Reason, replicas: readonly Replica[]): string {
  if (reason.event === 'DeadlineExceeded')
    return `${about} has failed because it was active longer than specified deadline`
  if (reason.message.includes('restarts are used up'))
    return `${about} has failed because it has reached the specified backoff limit`
  const failed = replicas.filter(({ entry }) => entry.phase === 'Failed').map(({ place }) => place.role.label)
  const counts = [...groupBy(failed, (label) => label)].map(([label, all]) => `${all.length} ${label}`)
  return `${about} has failed because ${counts.join(', ')} replica(s) failed.`
}
