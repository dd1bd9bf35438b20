// One look at a job: what its status is, what to do now, when to look again, and why. Pure: the same input gives
// the same decision, and deciding again before anything has changed gives nothing new to do.
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { JobStatus } from '../api/types.ts'
import { sameJson } from '../lib/json.ts'
import { type Instant, toTimestamp } from '../lib/time.ts'
import { createMissing, forceStuckPods, removeSpentPods, stopEverything, type Work } from './actions.ts'
import { advanceClock, deadlineAt } from './active-clock.ts'
import { conditionsOf } from './conditions.ts'
import type { Decision, Observed, Reason } from './decision.ts'
import { decideFinished } from './finished.ts'
import type { JobModel } from './job-model.ts'
import { journalOf, statusOf } from './journal.ts'
import { explainCreation, explainGang, explainPhase, speakTheKindsLanguage } from './reasons.ts'
import { isRunning, ownPods, type Replica, settleReplicas } from './replicas.ts'
import { situationOf } from './situation.ts'
import { placesOf } from './slots.ts'
import { aggregateOf, isComplete, phaseOf, tasksOf } from './summary.ts'
import { explainTensorBoard, tensorboardStatus } from './tensorboard-status.ts'
import { isDone, isUrgent, onlySuccesses, worthOf } from './urgency.ts'
import { markStopped, reachVerdict, recordEnds, type Verdict } from './verdict.ts'

export function decide(model: JobModel, observed: Observed, now: Instant): Decision {
  if (model.managedByOther) return handsOff(observed)
  const before = journalOf(model, observed.status)
  const pods = ownPods(model, observed.pods)
  const wasFinished = isDone(before)
  const replicas = settleReplicas(placesOf(model), before, pods, observed, wasFinished || model.paused, now)

  const verdict: Verdict = wasFinished ? { spentBy: [], reasons: [] } : reachVerdict(model, before, replicas, now)
  const { outcome, spentBy } = verdict
  if (wasFinished) recordEnds(replicas)
  const finished = wasFinished || outcome !== undefined
  if (model.paused && !finished) markStopped(replicas)

  const status: JobStatus = { ...before, observedGeneration: model.generation }
  status.backoffCount = (before.backoffCount ?? 0) + spentBy.length
  if (!finished) {
    if (before.phase === 'Paused' && !model.paused) {
      status.resumed = true
      // Kubeflow counts anew from a resume.
      if (model.kind === 'TFJob') status.startTime = undefined
    }
    status.underWay = model.paused ? undefined : before.underWay || isComplete(model, replicas) || undefined
    status.phase = phaseOf(model, replicas, status)
  } else if (outcome) {
    Object.assign(status, { phase: outcome.phase, finishedBy: outcome.by, completionTime: toTimestamp(now) })
  }

  const work = findWork(model, before, status, replicas, pods, observed, now)
  if (!finished && (work.createsPods || pods.size > 0)) status.startTime ??= toTimestamp(now)
  const clock = advanceClock(before, clockRuns(model, before, status, pods, observed), now)
  Object.assign(status, { activeSeconds: clock.activeSeconds, activeSince: clock.activeSince })
  status.tasks = tasksOf(model, replicas, before, spentBy)
  status.aggregate = aggregateOf(replicas, finished || model.paused)
  status.tensorboard = tensorboardStatus(model, observed, before)
  if (model.kind === 'PyTorchTrainingJob') {
    status.replicas = replicas.filter(({ look }) => look.is !== 'absent').length
    status.selector = `trainyard.dev/job-uid=${model.uid}`
  }
  if (!wasFinished) {
    status.conditions = conditionsOf(before, situationOf(model, observed, before, status, replicas, outcome), now)
  }

  const gangReasons = wasFinished ? [] : explainGang(before, status)
  const phaseReasons = [
    ...explainPhase(model, before, status, replicas, pods.size, outcome),
    ...gangReasons,
    ...explainTensorBoard(before, status),
  ]
  const transitions = [...verdict.reasons, ...withoutEcho(phaseReasons, work.transitions), ...work.transitions]
  const kindsStatus = statusOf(model, observed.status, status, { replicas, reasons: transitions, outcome }, now)
  const stored = 'stored' in observed ? observed.stored : observed.status
  const news = !sameJson(kindsStatus, observed.status ?? {})
  const changed = stored === observed.status ? news : !sameJson(kindsStatus, stored ?? {})
  const deadline = isDone(status) ? undefined : deadlineAt(model, status)
  const wakes = [...work.wakeAt, ...(deadline === undefined ? [] : [deadline])].filter((at) => at > now)
  const succeeds = outcome
    ? outcome.phase === 'Succeeded'
    : news && work.actions.length === 0 && !finished && onlySuccesses(before, status)
  return {
    status: kindsStatus,
    phase: status.phase,
    changed,
    urgent: news && changed && (work.createsPods || isUrgent(before, status) || replicas.some(isLastSeen)),
    ...(changed && { worth: worthOf(journalOf(model, stored), journalOf(model, kindsStatus)) }),
    ...(succeeds && replicas.some(isRunning) && { leavesRunning: true }),
    actions: work.actions,
    ...(wakes.length > 0 && { wakeAt: Math.min(...wakes) }),
    // Transitions are told with the status that records them, so that none is told twice.
    reasons: speakTheKindsLanguage(model, [...(news ? transitions : []), ...work.reasons], replicas, work.actions),
  }
}

/** Its pod goes for the sake of other containers, and with it all that tells how the replica ended. */
function isLastSeen({ fresh, look }: Replica): boolean {
  return fresh && look.is === 'ended' && look.othersRun
}

/** That the job was created is said by the creation of its replicas. */
function withoutEcho(reasons: readonly Reason[], creation: readonly Reason[]): Reason[] {
  if (creation.length === 0) return [...reasons]
  return reasons.map((reason) => (reason.event === 'Created' ? { ...reason, quiet: true } : reason))
}

function handsOff({ status }: Observed): Decision {
  return {
    status: typeof status === 'object' && status !== null ? status : {},
    changed: false,
    urgent: false,
    actions: [],
    reasons: [],
  }
}

type FoundWork = Work & { createsPods: boolean; transitions: Decision['reasons'] }

function findWork(
  model: JobModel,
  before: JobStatus,
  status: JobStatus,
  replicas: readonly Replica[],
  pods: ReadonlyMap<string, Pod>,
  observed: Observed,
  now: Instant,
): FoundWork {
  const idle = { createsPods: false, transitions: [] }
  if (isDone(status)) {
    const spent = replicas.filter(({ pod, entry, look }) => {
      return (look.is === 'ended' && look.othersRun) || (pod && pod.metadata?.uid !== entry.uid)
    })
    const names = new Set(spent.map(({ place }) => place.podName))
    return { ...decideFinished(model, status, pods, names, observed, now), ...idle }
  }
  const stuck = forceStuckPods(pods.values(), observed, now)
  if (model.deleting) return { ...stuck, ...idle }
  if (model.paused) return { ...stuck, actions: [...stuck.actions, ...stopEverything(model, pods, observed)], ...idle }
  const creation = createMissing(model, replicas, observed, status.resumed ?? false, now)
  return {
    actions: [...stuck.actions, ...removeSpentPods(model, replicas, pods, observed), ...creation.actions],
    reasons: stuck.reasons,
    wakeAt: [...stuck.wakeAt, ...creation.wakeAt],
    createsPods: creation.created.length > 0,
    transitions: explainCreation(before, creation.created, creation.actions),
  }
}

/** With a gang the clock starts when the gang is placed; once it runs, only a pause or the end stops it. */
function clockRuns(
  model: JobModel,
  before: JobStatus,
  status: JobStatus,
  pods: ReadonlyMap<string, Pod>,
  observed: Observed,
): boolean {
  if (isDone(status) || model.paused || status.startTime === undefined) return false
  if (!model.gang || !observed.cluster.gangScheduler || before.activeSince !== undefined) return true
  // After a pause, pods of before it may still be on their nodes.
  return [...pods.values()].some(({ metadata, spec }) => spec?.nodeName !== undefined && !metadata?.deletionTimestamp)
}
