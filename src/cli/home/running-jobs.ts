// The jobs of all kinds that a cluster has, and how they are paused.
import { phaseOfJob } from '../../api/job-phase.ts'
import { kinds } from '../../api/kinds.ts'
import type { JobStatus, TFJobStatus, TrainingJob } from '../../api/types.ts'
import type { KubeClient, KubeObject, Resource } from '../../kube/index.ts'

export type AnyJob = TrainingJob & KubeObject

export const JOB_RESOURCES: ReadonlyArray<Resource<AnyJob>> = kinds
  .filter(({ job }) => job)
  .map(({ group, kind, plural, versions }) => ({
    group,
    version: versions.find(({ storage }) => storage)!.name,
    plural,
    kind,
    namespaced: true,
  }))

export async function listJobs(client: KubeClient, namespace?: string): Promise<AnyJob[]> {
  const lists = await Promise.all(JOB_RESOURCES.map((resource) => client.list(resource, { namespace })))
  return lists.flatMap(({ items }) => items)
}

/** The record the engine keeps, in whichever place the kind has for it. */
export function recordOf(job: AnyJob): JobStatus {
  const status = job.status ?? {}
  return job.kind === 'TFJob' ? ((status as TFJobStatus).trainyard ?? {}) : (status as JobStatus)
}

export function isFinished(job: AnyJob): boolean {
  const phase = phaseOfJob(job)
  return phase === 'Succeeded' || phase === 'Failed'
}

export function resourceOf(job: AnyJob): Resource<AnyJob> {
  return JOB_RESOURCES.find(({ kind }) => kind === job.kind)!
}
