// Which of the replicas that just ended may run again, and what that costs.

import type { Instant } from '../lib/time.ts'
import type { Reason } from './decision.ts'
import { describeExit, shortExit } from './exit-words.ts'
import type { JobModel } from './job-model.ts'
import { isFinal, isOwed, postpone, type Replica, supersede } from './replicas.ts'

export interface Restarts {
  granted: Replica[]
  /** Restartable by their policy, but the budget is used up. */
  refused: Replica[]
}

export function mayRestart(model: JobModel, replica: Replica): boolean {
  const { look, place } = replica
  if (look.is !== 'ended') return false
  switch (place.role.restartPolicy) {
    case 'Never':
      return false
    case 'Always':
      return true
    case 'OnFailure':
      return look.exitCode !== 0
    case 'ExitCode':
      return look.exitCode === undefined
        ? endedWithoutCode(model)
        : look.exitCode !== 0 && model.retryable(look.exitCode)
  }
}

/** A pod that failed without telling how (evicted for its own limits): Kubeflow's v1 tries again, the others do not. */
function endedWithoutCode(model: JobModel): boolean {
  return model.environment.framework === 'tfjob' && model.environment.edition === 'v1'
}

/** Decides for all that ended in this pass, first come first served; spends nothing yet. */
export function chooseRestarts(model: JobModel, replicas: readonly Replica[], backoffCount: number): Restarts {
  const candidates = replicas.filter((replica) => replica.fresh && mayRestart(model, replica)).sort(byEnd)
  const granted: Replica[] = []
  const refused: Replica[] = []
  for (const replica of candidates) {
    // Under restartScope Job the first failure restarts everybody; the others of this pass follow from it.
    const consequence = model.restartScope === 'Job' && granted.length > 0
    const spent = backoffCount + granted.length
    if (consequence || hasBudget(model, replica, spent)) granted.push(replica)
    else refused.push(replica)
  }
  return { granted, refused }
}

function byEnd(a: Replica, b: Replica): number {
  const at = (replica: Replica): number => (replica.look.is === 'ended' ? replica.look.at : 0)
  return at(a) - at(b) || a.place.rank - b.place.rank
}

function hasBudget(model: JobModel, { entry, place }: Replica, spent: number): boolean {
  if (place.role.limitPerReplica !== undefined) return (entry.restartCount ?? 0) < place.role.limitPerReplica
  return model.backoffLimit === undefined || spent < model.backoffLimit
}

/**
 * Marks the restarts in the entries and returns those that were counted. Under restartScope Job every replica that has
 * neither succeeded nor failed for good starts anew with the one that failed.
 */
export function grantRestarts(
  model: JobModel,
  replicas: readonly Replica[],
  { granted }: Restarts,
  now: Instant,
): Replica[] {
  const lostOne = replicas.some((replica) => replica.lost !== undefined)
  const wholeJob = model.restartScope === 'Job' && (granted.length > 0 || lostOne)
  const spentBy = model.restartScope === 'Job' ? granted.slice(0, 1) : granted
  for (const replica of granted) {
    const { entry, look } = replica
    supersede(entry)
    if (spentBy.includes(replica)) {
      entry.restartCount = (entry.restartCount ?? 0) + 1
      postpone(entry, look.is === 'ended' ? look.ranFor : 0, now)
    }
  }
  if (wholeJob) startAllAnew(replicas)
  return spentBy
}

/** They start together, so they have set back together: how many of the losses were seen at once makes no difference. */
function startAllAnew(replicas: readonly Replica[]): void {
  const open = replicas.filter(({ entry, fresh }) => !isFinal(entry) && !(fresh && !isOwed(entry)))
  const latest = open.map(({ entry }) => entry.restartAt).reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b), undefined)
  const setbacks = Math.max(0, ...open.map(({ entry }) => entry.setbacks ?? 0))
  for (const { entry } of open) {
    if (entry.uid !== undefined && !isOwed(entry)) supersede(entry)
    if (setbacks > 0) entry.setbacks = setbacks
    entry.restartAt = latest
    entry.runningSince = undefined
  }
}

export function explainRestart(model: JobModel, { entry, place }: Replica, backoffCount: number): string {
  const { limitPerReplica, restartPolicy } = place.role
  const nth = limitPerReplica === undefined ? backoffCount : (entry.restartCount ?? 0)
  const limit = limitPerReplica ?? model.backoffLimit
  return `restartPolicy ${restartPolicy}, restart ${nth}${limit === undefined ? ', no limit' : ` of ${limit}`}`
}

export function explainEnd(replica: Replica): Reason | undefined {
  const { look, place } = replica
  if (look.is !== 'ended') return undefined
  if (look.exitCode === 0) {
    return {
      object: place.key,
      type: 'Normal',
      event: 'ReplicaSucceeded',
      word: 'Succeeded',
      message: 'exit 0',
    }
  }
  const because = look.why ? `: ${look.why}` : ''
  return {
    object: place.key,
    type: 'Warning',
    event: 'ReplicaFailed',
    word: 'Failed',
    message: `${describeExit(look.exitCode)}${because}`,
    short: `${shortExit(look.exitCode)}${because}`,
  }
}
