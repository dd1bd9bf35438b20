// trainyard get: the jobs of all kinds in one table, and with --watch a row for whatever changes.
import { type KubeClient, NODES, PODS } from '../../kube/index.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, isFinished } from '../home/running-jobs.ts'
import { UsageError } from '../usage-error.ts'
import { findJob, findJobsAnywhere, listAllJobs } from './find-job.ts'
import { renderJobs } from './jobs-table.ts'
import { type ShowContext, showObjects } from './output-form.ts'
import { podsOfJob } from './replica-of-pod.ts'
import { describeDelay } from './waiting-words.ts'
import { watchJobs } from './watch-jobs.ts'

export interface GetOptions extends ClusterOptions {
  allNamespaces?: boolean
  selector?: string
  watch?: boolean
}

/** No name of a job: jobs are found by `pj/nodes` where somebody has called one so. */
const NODES_WORDS = ['nodes', 'node', 'no']

async function getNodes(context: ShowContext, client: KubeClient, selector?: string): Promise<number> {
  const { items } = await client.list(NODES, { labelSelector: selector })
  if (await showObjects(context, items, false)) return 0
  const pods = (await client.list(PODS)).items
  const { renderNodes } = await import('./nodes-table.ts')
  const style = context.wide ? { ...context.out, width: Number.POSITIVE_INFINITY } : context.out
  context.terminal.out(`${renderNodes(items, pods, style).join('\n')}\n`)
  return 0
}

export async function getJobs(context: ShowContext, names: readonly string[], options: GetOptions): Promise<number> {
  const { terminal, err } = context
  const { selector, watch = false, allNamespaces: everywhere = false } = options
  const ofNodes = names.length === 1 && NODES_WORDS.includes(names[0]!)
  if (selector !== undefined && names.length > 0 && !ofNodes)
    throw new UsageError('get takes names or -l, not both', 'trainyard get --help')
  if (watch && ofNodes) throw new UsageError('get --watch watches jobs, not nodes', 'trainyard get nodes')
  const { client, namespace: own } = await connect(context, options)
  const namespace = everywhere ? undefined : own
  try {
    if (ofNodes) return await getNodes(context, client, selector)
    const find = async (name: string) =>
      namespace === undefined ? findJobsAnywhere(client, name) : [await findJob(client, namespace, name)]
    const jobs =
      names.length > 0 ? (await Promise.all(names.map(find))).flat() : await listAllJobs(client, namespace, selector)
    const picture = !context.names && context.format === undefined
    if (!picture && !watch) await showObjects(context, jobs, names.length === 1)
    else if (!picture) for (const job of jobs) await showNext(context, job)
    else if (jobs.length > 0) terminal.out(`${(await tableOf(context, client, jobs, everywhere)).join('\n')}\n`)
    else {
      const which = selector ? ` with labels ${selector}` : ''
      terminal.err(`no jobs${which}${everywhere ? '' : ` in namespace ${namespace}`}\n`)
    }
    for (const job of picture && names.length > 0 ? jobs.filter((each) => !isFinished(each)) : []) {
      const waiting = describeDelay(job, await podsOf(client, job))
      if (waiting === undefined) continue
      const whose = jobs.length > 1 ? `waiting: ${job.metadata.name}: ` : 'waiting: '
      terminal.err(`${err.paint('yellow', `${whose}${waiting}`)}\n`)
    }
    if (!watch) return 0
    const wanted = new Set(jobs.map(keyOf))
    const isWanted = (job: AnyJob): boolean => names.length === 0 || wanted.has(keyOf(job))
    let headed = jobs.length > 0
    await watchJobs(client, { namespace, labelSelector: selector, isWanted }, jobs, async (job, all) => {
      if (!picture) return showNext(context, job)
      // Among the others, so that it stands in their columns.
      const others = all.filter((each) => each.metadata.uid !== job.metadata.uid)
      const lines = await tableOf(context, client, [...others, job], everywhere)
      terminal.out(`${headed ? '' : `${lines[0]}\n`}${lines.at(-1)}\n`)
      headed = true
    })
    return 0
  } finally {
    await client.close()
  }
}

const keyOf = ({ kind, metadata }: AnyJob): string => `${kind}/${metadata.namespace}/${metadata.name}`

/** Alone, for nobody knows yet of how many; documents of one stream have to be told apart in YAML. */
async function showNext(context: ShowContext, job: AnyJob): Promise<void> {
  if (context.format === 'yaml') context.terminal.out('---\n')
  await showObjects(context, [job], true)
}

async function podsOf(client: KubeClient, { metadata: { namespace, uid } }: AnyJob) {
  return (await client.list(PODS, { namespace, labelSelector: podsOfJob(uid) })).items
}

async function tableOf(
  { out, wide }: ShowContext,
  client: KubeClient,
  jobs: readonly AnyJob[],
  namespaces: boolean,
): Promise<string[]> {
  if (!wide) return renderJobs(jobs, out, Date.now(), { namespaces })
  const namesOf = async (job: AnyJob) =>
    [job.metadata.uid ?? '', (await podsOf(client, job)).map(({ metadata }) => metadata.name ?? '')] as const
  const pods = new Map(await Promise.all(jobs.map(namesOf)))
  return renderJobs(jobs, { ...out, width: Number.POSITIVE_INFINITY }, Date.now(), { namespaces, pods })
}
