// What becomes of jobs of all kinds: each again whenever it has changed.
import { isNotFound, type KubeClient, type Resource } from '../../kube/index.ts'
import { type AnyJob, JOB_RESOURCES } from '../home/running-jobs.ts'
import { watchSet } from './watch-set.ts'

export interface WatchedJobs {
  /** Absent: all. */
  namespace?: string
  labelSelector?: string
  isWanted: (job: AnyJob) => boolean
}

/** Tells of each job that is not as it was `before`, and of a deleted one as it was last. Ends only with an error. */
export async function watchJobs(
  client: KubeClient,
  { isWanted, ...selection }: WatchedJobs,
  before: readonly AnyJob[],
  tell: (job: AnyJob, all: readonly AnyJob[]) => Promise<void>,
): Promise<void> {
  const seen = new Map(before.map((job) => [job.metadata.uid, job]))
  // What is told of one job may take questions to the API; the next must not overtake it.
  let telling = Promise.resolve()
  const watchKind = async (resource: Resource<AnyJob>): Promise<void> => {
    for await (const items of watchSet(client, resource, selection)) {
      const there = new Map(items.filter(isWanted).map((job) => [job.metadata.uid, job]))
      const changed = [...there.values()].filter((job) => versionOf(seen.get(job.metadata.uid)) !== versionOf(job))
      const gone = [...seen.values()].filter(({ kind, metadata }) => kind === resource.kind && !there.has(metadata.uid))
      for (const job of changed) seen.set(job.metadata.uid, job)
      for (const job of gone) seen.delete(job.metadata.uid)
      const all = [...seen.values()]
      for (const job of [...gone, ...changed]) telling = telling.then(() => tell(job, all))
      await telling
    }
  }
  const watching = JOB_RESOURCES.map((resource) =>
    watchKind(resource).catch((error: unknown) => {
      // A kind the cluster has not heard of has no jobs.
      if (!isNotFound(error)) throw error
    }),
  )
  await Promise.all(watching)
}

const versionOf = (job: AnyJob | undefined): string | undefined => job?.metadata.resourceVersion
