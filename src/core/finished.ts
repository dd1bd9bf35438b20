// A finished job: nothing runs again, whatever happens to its pods. What is left is clean-up and the TTL.
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { JobStatus } from '../api/types.ts'
import { fromTimestamp, type Instant } from '../lib/time.ts'
import {
  deletePod,
  deletePodGroup,
  deleteServices,
  emptyWork,
  forceStuckPods,
  isNodeGone,
  type Work,
} from './actions.ts'
import type { Observed } from './decision.ts'
import type { JobModel } from './job-model.ts'

export function decideFinished(
  model: JobModel,
  status: JobStatus,
  pods: ReadonlyMap<string, Pod>,
  /** Pods that go under any policy: only their sidecars still run, or the record knows nothing of them. */
  spent: ReadonlySet<string>,
  observed: Observed,
  now: Instant,
): Work {
  const work = emptyWork()
  const doomed = new Set<string>()
  for (const [name, pod] of pods) {
    if (!spent.has(name) && !isToGo(model, status, pod)) continue
    doomed.add(name)
    if (!pod.metadata?.deletionTimestamp) work.actions.push(deletePod(pod, undefined, isNodeGone(pod, observed)))
  }
  // A TFJob's Service shares its pod's name and fate.
  if (model.kind === 'TFJob') {
    work.actions.push(...deleteServices(model, observed, (name) => doomed.has(name) || model.cleanUp === 'All'))
  }
  work.actions.push(...deletePodGroup(observed))
  const stuck = forceStuckPods(pods.values(), observed, now)
  work.actions.push(...stuck.actions)
  work.reasons.push(...stuck.reasons)
  work.wakeAt.push(...stuck.wakeAt)

  const completed = fromTimestamp(status.completionTime)
  if (model.ttlSecondsAfterFinished !== undefined && completed !== undefined && !model.deleting) {
    const at = completed + model.ttlSecondsAfterFinished * 1000
    if (now >= at) work.actions.push({ verb: 'deleteJob', uid: model.uid })
    else work.wakeAt.push(at)
  }
  return work
}

function isToGo(model: JobModel, status: JobStatus, pod: Pod): boolean {
  const ended = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  if (model.cleanUp === 'All') return true
  // The deadline ends what has not ended, whatever the policy.
  if (status.finishedBy === 'Deadline' || model.cleanUp === 'Unfinished') return !ended
  return false
}
