// trainyard delete: the job, its pods and services, and here also its logs.
import { type KubeClient, PODS, SERVICES } from '../../kube/index.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, resourceOf } from '../home/running-jobs.ts'
import { findJob } from './find-job.ts'
import { type ShowContext, showObjects } from './output-form.ts'
import { tellWhatIsAwaited } from './patience.ts'
import { podsOfJob } from './replica-of-pod.ts'
import { waitFor } from './watch-set.ts'

export interface DeleteJobOptions extends ClusterOptions {
  wait: boolean
}

export async function deleteJobs(
  context: ShowContext,
  names: readonly string[],
  options: DeleteJobOptions,
): Promise<number> {
  const { client, namespace, context: cluster } = await connect(context, options)
  try {
    // All are looked for before the first is deleted: a wrong name changes nothing.
    const found = await Promise.all(names.map((name) => findJob(client, namespace, name)))
    const jobs = [...new Map(found.map((job) => [job.metadata.uid, job])).values()]
    for (const job of jobs) {
      const counts = await countObjects(client, job)
      const logs = cluster === undefined ? ['logs'] : []
      await deleteJob(context, client, job, options.wait)
      const what = [...counts, ...logs].join(', ')
      const done = options.wait ? 'deleted' : 'will be deleted'
      if (context.names || context.format) continue
      context.terminal.out(`${job.metadata.name} ${done}${what ? ` (${what})` : ''}\n`)
    }
    await showObjects(context, jobs, names.length === 1)
    return 0
  } finally {
    await client.close()
  }
}

export async function deleteJob(context: ShowContext, client: KubeClient, job: AnyJob, wait = true): Promise<void> {
  const { name = '', namespace, uid } = job.metadata
  let left = 0
  const patience = tellWhatIsAwaited(context, () =>
    left > 0
      ? `waiting for ${left} ${left === 1 ? 'pod' : 'pods'} of ${name} to end`
      : `waiting for ${name} to be deleted`,
  )
  try {
    await client.delete(resourceOf(job), { namespace, name }, { uid, propagationPolicy: 'Background' })
    if (!wait) return
    const gone = (items: unknown[]): true | undefined => (items.length === 0 ? true : undefined)
    const itself = { namespace, fieldSelector: `metadata.name=${name}` }
    await waitFor(client, resourceOf(job), itself, (jobs) => gone(jobs.filter((each) => each.metadata.uid === uid)))
    await waitFor(client, PODS, { namespace, labelSelector: podsOfJob(uid) }, (pods) => {
      left = pods.length
      return gone(pods)
    })
  } finally {
    patience.end()
  }
}

/** `4 pods`, `1 service`. */
async function countObjects(client: KubeClient, { metadata }: AnyJob): Promise<string[]> {
  const selection = { namespace: metadata.namespace, labelSelector: podsOfJob(metadata.uid) }
  const [pods, services] = await Promise.all([client.list(PODS, selection), client.list(SERVICES, selection)])
  const counted = (n: number, word: string): string[] => (n > 0 ? [`${n} ${word}${n === 1 ? '' : 's'}`] : [])
  return [...counted(pods.items.length, 'pod'), ...counted(services.items.length, 'service')]
}
