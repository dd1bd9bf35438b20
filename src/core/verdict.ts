// Ends the job, or decides who runs again. Success is judged first, then failure, then the deadline.
import type { JobStatus } from '../api/types.ts'
import type { Instant } from '../lib/time.ts'
import { deadlineAt } from './active-clock.ts'
import type { Reason } from './decision.ts'
import type { JobModel } from './job-model.ts'
import { deadlineOutcome, failsForGood, invalidOutcome, judgeFailure, judgeSuccess, type Outcome } from './outcome.ts'
import { isFinal, isOwed, type Replica, supersede } from './replicas.ts'
import { chooseRestarts, explainEnd, explainRestart, grantRestarts } from './restarts.ts'

export interface Verdict {
  outcome?: Outcome
  /** The replicas whose restart was counted, in the order of counting. */
  spentBy: Replica[]
  reasons: Reason[]
}

/** Also brings the entries up to date: granted restarts are marked, other ends become outcomes. */
export function reachVerdict(model: JobModel, before: JobStatus, replicas: readonly Replica[], now: Instant): Verdict {
  if (model.problems.length > 0 && before.startTime === undefined) {
    return { outcome: invalidOutcome(model), spentBy: [], reasons: [] }
  }
  const restarts = chooseRestarts(model, replicas, before.backoffCount ?? 0)
  const reasons = explainEnds(replicas, new Set(restarts.granted))
  const outcome = judgeEnd(model, before, replicas, restarts, now)
  if (outcome) {
    recordEnds(replicas)
    return { outcome, spentBy: [], reasons }
  }
  const spentBy = restarts.spending
  grantRestarts(model, replicas, restarts, now)
  recordEnds(replicas)
  for (const { place, lost } of replicas) {
    if (!lost) continue
    const message = `${lost}; replaced, no restart is spent`
    reasons.push({ object: place.key, type: 'Warning', event: 'ReplicaLost', word: 'Lost', message })
  }
  spentBy.forEach((replica, i) => {
    const message = explainRestart(model, replica, (before.backoffCount ?? 0) + 1 + i)
    reasons.push({ object: replica.place.key, type: 'Normal', event: 'RestartReplica', word: 'Restarted', message })
  })
  return { spentBy, reasons }
}

/** A success that is the replica's outcome stands in the status; only one that is followed by a restart needs an event. */
function explainEnds(replicas: readonly Replica[], granted: ReadonlySet<Replica>): Reason[] {
  return replicas
    .filter(({ fresh }) => fresh)
    .flatMap((replica): Reason[] => {
      const reason = explainEnd(replica)
      const quiet = reason?.type === 'Normal' && !granted.has(replica)
      return reason ? [{ ...reason, ...(quiet && { quiet }) }] : []
    })
}

function judgeEnd(
  model: JobModel,
  before: JobStatus,
  replicas: readonly Replica[],
  restarts: ReturnType<typeof chooseRestarts>,
  now: Instant,
): Outcome | undefined {
  const index = new Map(replicas.map((replica) => [replica.place.key, replica]))
  const end =
    judgeSuccess(model, index) ?? judgeFailure(model, index, failsForGood(new Set(restarts.granted)), restarts.refused)
  if (end) return end
  const deadline = deadlineAt(model, before)
  return deadline !== undefined && now >= deadline ? deadlineOutcome(model) : undefined
}

/** The phase is the last outcome; whether it is final shows in `replaces`. */
export function recordEnds(replicas: readonly Replica[]): void {
  for (const { entry, look, fresh } of replicas) {
    if (fresh && look.is === 'ended') entry.phase = look.exitCode === 0 ? 'Succeeded' : 'Failed'
  }
}

/** Paused: whatever the pods do from now on is nothing new, and each is owed another when the job goes on. */
export function markStopped(replicas: readonly Replica[]): void {
  for (const { entry } of replicas) {
    if (isFinal(entry)) continue
    if (entry.uid !== undefined && !isOwed(entry)) {
      entry.phase = 'Pending'
      supersede(entry)
    }
    entry.restartAt = undefined
    entry.runningSince = undefined
  }
}
