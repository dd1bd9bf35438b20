import type { KubeObject } from '../api/types.ts'
import { decide } from './decide.ts'
import type { ClusterFacts } from './decision.ts'
import type { JobModel } from './job-model.ts'

/** A cluster where everything the seeds speak of is there; what `plan` and `rehearse` assume. */
export const FULL_CLUSTER: ClusterFacts = { gangScheduler: 't9k', tensorboards: true, forceDeleteAfter: 300 }

export const PLACEHOLDER_UID = '00000000-0000-0000-0000-000000000000'

/** The complete objects the engine would create for a fresh job, in the order of their creation. */
export function buildPlan(model: JobModel, cluster: ClusterFacts = FULL_CLUSTER): KubeObject[] {
  const observed = { status: undefined, pods: [], services: [], nodes: new Map(), cluster }
  return decide(model, observed, model.createdAt).actions.flatMap((action) =>
    action.verb === 'create' ? [action.object] : [],
  )
}
