// What happens to a job while it is followed, in words.
import type { JobStatus, ReplicaStatus } from '../../../api/types.ts'
import type { JobModel } from '../../../core/job-model.ts'
import type { Place } from '../../../core/slots.ts'
import { counted } from '../words.ts'
import type { End, Replica } from './replica-view.ts'

export interface Notice {
  /** `progress` stands in the live table anyway and is told only where there is none. */
  about: 'trouble' | 'progress'
  /** The replica it is about. */
  replica?: string
  text: string
  /** Below it, indented. */
  detail?: string
}

export function wordsForFailure(place: Place, end: End, wrote: boolean, field: string): Notice {
  if (end.cannotStart !== undefined) return wordsForNoStart(place, end.cannotStart, field)
  const silent = wrote ? '' : ', it wrote nothing'
  return { about: 'trouble', replica: place.key, text: `${place.key} failed: ${end.words}${silent}` }
}

/** A program that is not there is a matter of one field of the manifest. */
function wordsForNoStart(place: Place, why: string, field: string): Notice {
  const [, what = why, hint] = /^(.*?)(?:; (did you mean .*))?$/s.exec(why) ?? []
  const text = `${place.key} cannot start: ${what}`
  if (!what.startsWith('no program')) return { about: 'trouble', replica: place.key, text }
  const detail = `said in ${field}.command[0]${hint ? `; ${hint}` : ''}`
  return { about: 'trouble', replica: place.key, text, detail }
}

/** What the job's record tells that it did not tell before. */
export function noticesOfJob(
  before: JobStatus,
  after: JobStatus,
  modelBefore: JobModel,
  model: JobModel,
  replicas: readonly Replica[],
): Notice[] {
  const notices: Notice[] = []
  const known = entriesOf(before)
  const told = entriesOf(after)
  let spent = before.backoffCount ?? 0
  for (const { place } of replicas) {
    const [old, entry] = [known.get(place.podName), told.get(place.podName)]
    const restarts = (entry?.restartCount ?? 0) - (old?.restartCount ?? 0)
    if (restarts > 0) {
      spent += restarts
      notices.push(restarted(model, place, entry!, spent))
    } else if ((entry?.attempt ?? 1) > (old?.attempt ?? 1) && after.phase !== 'Paused' && before.phase !== 'Paused') {
      notices.push(replaced(model, place))
    }
  }
  const [from, to] = [modelBefore, model].map((each) => replicaCount(each))
  if (from !== to)
    notices.push({ about: 'progress', text: `${model.name} is to have ${counted(to!, 'replica')} instead of ${from}` })
  if (after.phase !== before.phase) notices.push(...phaseChange(model, after, replicas))
  return notices
}

export function entriesOf(record: JobStatus): Map<string, ReplicaStatus> {
  return new Map((record.tasks ?? []).flatMap((task) => (task.replicaStatus ?? []).map((entry) => [entry.name, entry])))
}

function replicaCount(model: JobModel): number {
  return model.roles.reduce((sum, role) => sum + role.replicas, 0)
}

function restarted(model: JobModel, place: Place, entry: ReplicaStatus, spent: number): Notice {
  const { limitPerReplica, restartPolicy } = place.role
  const nth = limitPerReplica === undefined ? spent : (entry.restartCount ?? 0)
  const limit = limitPerReplica ?? model.backoffLimit
  const budget = limit === undefined ? `restart ${nth}, no limit` : `restart ${nth} of ${limit}`
  const text = `${place.key} is started again (restartPolicy ${restartPolicy}, ${budget})`
  return { about: 'trouble', replica: place.key, text }
}

function replaced(model: JobModel, place: Place): Notice {
  const why = model.restartScope === 'Job' ? 'restartScope is Job' : 'its pod was lost; no restart is spent'
  return { about: 'trouble', replica: place.key, text: `${place.key} is started again (${why})` }
}

function phaseChange(model: JobModel, after: JobStatus, replicas: readonly Replica[]): Notice[] {
  const running = after.aggregate?.running ?? replicas.filter(({ state }) => state === 'Running').length
  switch (after.phase) {
    case 'Running':
      return [{ about: 'progress', text: `${model.name} Running: ${running} of ${replicas.length} running` }]
    case 'Paused':
    case 'Resuming':
    case 'Unknown':
      return [{ about: 'progress', text: `${model.name} ${after.phase}` }]
    default:
      return []
  }
}
