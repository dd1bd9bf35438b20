// Which of the replicas that just ended may run again, and what that costs.

import type { Instant } from '../lib/time.ts'
import type { Reason } from './decision.ts'
import { describeExit, shortExit } from './exit-words.ts'
import type { JobModel } from './job-model.ts'
import { isFinal, isOwed, postpone, type Replica, supersede } from './replicas.ts'

export interface Restarts {
  granted: Replica[]
  /** Those of them that spend one; under restartScope Job the others follow from a failure or a loss. */
  spending: Replica[]
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
  const wholeJob = model.restartScope === 'Job'
  const granted: Replica[] = []
  const spending: Replica[] = []
  const refused: Replica[] = []
  // From here on everybody is to start anew, and what fails follows from that, whether it is seen now or later.
  let anew = wholeJob ? firstLoss(replicas) : undefined
  for (const replica of inOrderOfEnd(model, replicas)) {
    const willing = mayRestart(model, replica)
    const failed = hasFailed(replica)
    const follows = anew !== undefined && (willing || (failed && endOf(replica) >= anew))
    if (!willing && !follows) continue
    if (!follows && !hasBudget(model, replica, backoffCount + spending.length)) {
      refused.push(replica)
      continue
    }
    granted.push(replica)
    if (!follows) spending.push(replica)
    if (wholeJob && failed) anew = Math.min(anew ?? Number.POSITIVE_INFINITY, endOf(replica))
  }
  return { granted, spending, refused }
}

/** Of who is lost or being deleted by somebody else; when that was is not always known, and then it excuses least. */
function firstLoss(replicas: readonly Replica[]): Instant | undefined {
  const times = replicas.flatMap(({ entry, look, lost }) => {
    const leaving = look.is === 'leaving' && look.at !== undefined && !isFinal(entry) && !isOwed(entry)
    const at = look.is === 'lost' || look.is === 'leaving' ? look.at : undefined
    return lost !== undefined || leaving ? [at ?? Number.POSITIVE_INFINITY] : []
  })
  return times.length > 0 ? Math.min(...times) : undefined
}

const isLost = ({ lost }: Replica): boolean => lost !== undefined
const hasFailed = ({ look }: Replica): boolean => look.is === 'ended' && look.exitCode !== 0
const endOf = ({ look }: Replica): Instant => (look.is === 'ended' ? look.at : 0)

/** At the same time who may be started again goes first, then the lower rank. */
function inOrderOfEnd(model: JobModel, replicas: readonly Replica[]): Replica[] {
  const refusal = (replica: Replica): number => (mayRestart(model, replica) ? 0 : 1)
  return replicas
    .filter(({ fresh }) => fresh)
    .sort((a, b) => endOf(a) - endOf(b) || refusal(a) - refusal(b) || a.place.rank - b.place.rank)
}

function hasBudget(model: JobModel, { entry, place }: Replica, spent: number): boolean {
  if (place.role.limitPerReplica !== undefined) return (entry.restartCount ?? 0) < place.role.limitPerReplica
  return model.backoffLimit === undefined || spent < model.backoffLimit
}

/** Marks the restarts in the entries. Under restartScope Job everybody who has no outcome starts anew with who failed. */
export function grantRestarts(
  model: JobModel,
  replicas: readonly Replica[],
  { granted, spending }: Restarts,
  now: Instant,
): void {
  for (const { entry } of granted) supersede(entry)
  for (const { entry, look } of spending) {
    entry.restartCount = (entry.restartCount ?? 0) + 1
    postpone(entry, look.is === 'ended' ? look.ranFor : 0, now)
  }
  if (model.restartScope === 'Job' && (granted.some(hasFailed) || replicas.some(isLost))) startAllAnew(replicas)
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
