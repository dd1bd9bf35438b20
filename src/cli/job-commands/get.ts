// trainyard get: the jobs of all kinds in one table.
import { type KubeClient, NODES, PODS } from '../../kube/index.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, isFinished } from '../home/running-jobs.ts'
import { UsageError } from '../usage-error.ts'
import { findJob, findJobsAnywhere, listAllJobs } from './find-job.ts'
import { renderJobs } from './jobs-table.ts'
import { type ShowContext, showObjects } from './output-form.ts'
import { podsOfJob } from './replica-of-pod.ts'
import { describeDelay } from './waiting-words.ts'

export interface GetOptions extends ClusterOptions {
  allNamespaces?: boolean
  selector?: string
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
  const { terminal, out, err } = context
  const { selector } = options
  const ofNodes = names.length === 1 && NODES_WORDS.includes(names[0]!)
  if (selector !== undefined && names.length > 0 && !ofNodes)
    throw new UsageError('get takes names or -l, not both', 'trainyard get --help')
  const { client, namespace } = await connect(context, options)
  try {
    const everywhere = options.allNamespaces ?? false
    if (ofNodes) return await getNodes(context, client, selector)
    const find = async (name: string) =>
      everywhere ? findJobsAnywhere(client, name) : [await findJob(client, namespace, name)]
    const jobs =
      names.length > 0
        ? (await Promise.all(names.map(find))).flat()
        : await listAllJobs(client, everywhere ? undefined : namespace, selector)
    if (await showObjects(context, jobs, names.length === 1)) return 0
    if (jobs.length === 0) {
      const which = selector ? ` with labels ${selector}` : ''
      terminal.err(`no jobs${which}${everywhere ? '' : ` in namespace ${namespace}`}\n`)
      return 0
    }
    const podsOf = async ({ metadata }: AnyJob) =>
      (await client.list(PODS, { namespace: metadata.namespace, labelSelector: podsOfJob(metadata.uid) })).items
    const pods = context.wide
      ? new Map(
          await Promise.all(
            jobs.map(async (job) => {
              const names = (await podsOf(job)).map(({ metadata }) => metadata.name ?? '')
              return [job.metadata.uid ?? '', names] as const
            }),
          ),
        )
      : undefined
    const style = context.wide ? { ...out, width: Number.POSITIVE_INFINITY } : out
    const lines = renderJobs(jobs, style, Date.now(), { namespaces: everywhere, pods })
    terminal.out(`${lines.join('\n')}\n`)
    if (names.length === 0) return 0
    for (const job of jobs.filter((each) => !isFinished(each))) {
      const waiting = describeDelay(job, await podsOf(job))
      if (waiting === undefined) continue
      const whose = jobs.length > 1 ? `waiting: ${job.metadata.name}: ` : 'waiting: '
      terminal.err(`${err.paint('yellow', `${whose}${waiting}`)}\n`)
    }
    return 0
  } finally {
    await client.close()
  }
}
