// trainyard delete: the job, its pods and services, and here also its logs.
import { type KubeClient, PODS, SERVICES } from '../../kube/index.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, resourceOf } from '../home/running-jobs.ts'
import { deleteJob as beginDeletion } from '../run/delete-job.ts'
import { findJob, listAllJobs } from './find-job.ts'
import { type ShowContext, showObjects } from './output-form.ts'
import { tellWhatIsAwaited } from './patience.ts'
import { podsOfJob } from './replica-of-pod.ts'
import { waitFor } from './watch-set.ts'

export interface DeleteJobOptions extends ClusterOptions {
  wait: boolean
  allNamespaces?: boolean
  selector?: string
}

/** Those of these names; without names all, or all that have the labels of the selector. */
export async function deleteJobs(
  context: ShowContext,
  names: readonly string[],
  options: DeleteJobOptions,
): Promise<number> {
  const { client, namespace, context: cluster } = await connect(context, options)
  try {
    const everywhere = options.allNamespaces ?? false
    // All are looked for before the first is deleted: a wrong name changes nothing.
    const found =
      names.length > 0
        ? await Promise.all(names.map((name) => findJob(client, namespace, name)))
        : await listAllJobs(client, everywhere ? undefined : namespace, options.selector)
    const jobs = [...new Map(found.map((job) => [job.metadata.uid, job])).values()]
    if (jobs.length === 0 && !context.names && !context.format) {
      const which = options.selector ? ` with labels ${options.selector}` : ''
      context.terminal.err(`no jobs${which}${everywhere ? '' : ` in namespace ${namespace}`}\n`)
    }
    await deleteAndTell(context, client, jobs, { ...options, logs: cluster === undefined })
    await showObjects(context, jobs, names.length === 1)
    return 0
  } finally {
    await client.close()
  }
}

export interface Telling {
  wait: boolean
  /** They go with the job. */
  logs: boolean
  /** From all namespaces, so each says where it was. */
  allNamespaces?: boolean
}

export async function deleteAndTell(
  context: ShowContext,
  client: KubeClient,
  jobs: readonly AnyJob[],
  { wait, logs, allNamespaces }: Telling,
): Promise<void> {
  const counts = await Promise.all(jobs.map((job) => countObjects(client, job)))
  // All of them end at the same time, and not each only after the one before.
  await Promise.all(jobs.map((job) => beginDeletion(client, job)))
  for (const [i, job] of jobs.entries()) {
    if (wait) await awaitItsEnd(context, client, job)
    if (context.names || context.format) continue
    const what = [...counts[i]!, ...(logs ? ['logs'] : [])].join(', ')
    const where = allNamespaces ? `${job.metadata.namespace}/` : ''
    const done = wait ? 'deleted' : 'will be deleted'
    context.terminal.out(`${where}${job.metadata.name} ${done}${what ? ` (${what})` : ''}\n`)
  }
}

export async function deleteJob(context: ShowContext, client: KubeClient, job: AnyJob): Promise<void> {
  await beginDeletion(client, job)
  await awaitItsEnd(context, client, job)
}

async function awaitItsEnd(context: ShowContext, client: KubeClient, job: AnyJob): Promise<void> {
  const { name = '', namespace, uid } = job.metadata
  let left = 0
  const patience = tellWhatIsAwaited(context, () =>
    left > 0
      ? `waiting for ${left} ${left === 1 ? 'pod' : 'pods'} of ${name} to end`
      : `waiting for ${name} to be deleted`,
  )
  try {
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
