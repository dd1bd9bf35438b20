// What happens to a job while it is followed, in words.
import type { JobStatus, ReplicaStatus } from '../../../api/types.ts'
import { describeExit } from '../../../core/exit-words.ts'
import type { JobModel } from '../../../core/job-model.ts'
import type { Place } from '../../../core/slots.ts'
import type { Instant } from '../../../lib/time.ts'
import { counted } from '../words.ts'
import { type End, type Replica, waitOf } from './replica-view.ts'

export interface Notice {
  /** `progress` stands in the live table anyway and is told only where there is none. */
  about: 'trouble' | 'progress'
  /** The replica it is about. */
  replica?: string
  text: string
  /** Below it, indented. */
  detail?: string
}

export function wordsForFailure(place: Place, end: End, wrote: boolean, said: string): Notice {
  if (end.cannotStart !== undefined) return wordsForNoStart(place, end.cannotStart, said)
  const silent = end.culprit ? '' : !wrote ? ', it wrote nothing' : end.silentOnStderr ? ', nothing on stderr' : ''
  return { about: 'trouble', replica: place.key, text: `${place.key} failed: ${end.words}${silent}` }
}

/** A program that is not there is a matter of one field of the manifest. */
function wordsForNoStart(place: Place, why: string, said: string): Notice {
  const [, what = why, hint] = /^(.*?)(?:; (did you mean .*))?$/s.exec(why) ?? []
  const text = `${place.key} cannot start: ${what}`
  if (!what.startsWith('no program')) return { about: 'trouble', replica: place.key, text }
  const detail = `${said}${hint ? `; ${hint}` : ''}`
  return { about: 'trouble', replica: place.key, text, detail }
}

/** A replica's next attempt, as the job's record tells of it. */
export interface Grant {
  key: string
  attempt: number
  /** After an end, and not because the pod was lost or stopped. */
  restart: boolean
  notice: Notice
  /** The failure it follows, in the record's own words: pods tell more, if they are still heard. */
  failure?: Notice
}

/** The new attempts that the record tells of and did not before. */
export function grantsOf(
  before: JobStatus,
  after: JobStatus,
  model: JobModel,
  replicas: readonly Replica[],
  now: Instant,
): Grant[] {
  const grants: Grant[] = []
  const known = entriesOf(before)
  const told = entriesOf(after)
  let spent = before.backoffCount ?? 0
  for (const { place } of replicas) {
    const [old, entry] = [known.get(place.podName), told.get(place.podName)]
    const restarts = (entry?.restartCount ?? 0) - (old?.restartCount ?? 0)
    const attempt = entry?.attempt ?? 1
    if (restarts > 0) {
      spent += restarts
      const notice = restarted(model, place, entry!, spent, now)
      grants.push({ key: place.key, attempt, restart: true, notice, failure: recordedFailure(place, entry!) })
    } else if (attempt > (old?.attempt ?? 1) && after.phase !== 'Paused' && before.phase !== 'Paused') {
      grants.push({ key: place.key, attempt, restart: false, notice: replaced(model, place, entry, now) })
    }
  }
  return grants
}

function recordedFailure(place: Place, { containers }: ReplicaStatus): Notice | undefined {
  const name = place.role.template.spec?.containers[place.role.trainingContainer]?.name
  const exitCode = containers?.find((container) => container.name === name)?.exitCode
  if (!exitCode) return undefined
  return { about: 'trouble', replica: place.key, text: `${place.key} failed: ${describeExit(exitCode)}` }
}

/** What the record tells of the job as a whole and did not before. */
export function noticesOfJob(
  before: JobStatus,
  after: JobStatus,
  modelBefore: JobModel,
  model: JobModel,
  replicas: readonly Replica[],
): Notice[] {
  const notices: Notice[] = []
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

function restarted(model: JobModel, place: Place, entry: ReplicaStatus, spent: number, now: Instant): Notice {
  const { limitPerReplica, restartPolicy } = place.role
  const nth = limitPerReplica === undefined ? spent : (entry.restartCount ?? 0)
  const limit = limitPerReplica ?? model.backoffLimit
  const budget = limit === undefined ? `restart ${nth}, no limit` : `restart ${nth} of ${limit}`
  const text = `${startedAgain(place, entry, now)} (restartPolicy ${restartPolicy}, ${budget})`
  return { about: 'trouble', replica: place.key, text }
}

function startedAgain({ key }: Place, entry: ReplicaStatus | undefined, now: Instant): string {
  const wait = waitOf(entry, now)
  return `${key} is started again${wait ? ` ${wait}` : ''}`
}

function replaced(model: JobModel, place: Place, entry: ReplicaStatus | undefined, now: Instant): Notice {
  const why = model.restartScope === 'Job' ? 'restartScope is Job' : 'its pod was lost; no restart is spent'
  return { about: 'trouble', replica: place.key, text: `${startedAgain(place, entry, now)} (${why})` }
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
