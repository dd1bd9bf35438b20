// trainyard events: what happened to a job, or to all with their names.
import { read } from '../../core/read.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { renderData } from '../output/data.ts'
import { findJob, findJobsAnywhere, listAllJobs } from './find-job.ts'
import { dataOfEvent, eventsOfJob, type JobEvent, listEvents, renderEvents } from './job-events.ts'
import type { ShowContext } from './output-form.ts'
import { namesOfReplicas } from './replica-of-pod.ts'

export interface EventsOptions extends ClusterOptions {
  allNamespaces?: boolean
}

export async function showEvents(
  context: ShowContext,
  name: string | undefined,
  options: EventsOptions,
): Promise<number> {
  const { terminal, format, out } = context
  const { client, namespace: own } = await connect(context, options)
  const namespace = options.allNamespaces ? undefined : own
  try {
    const find = async (wanted: string) =>
      namespace === undefined ? findJobsAnywhere(client, wanted) : [await findJob(client, namespace, wanted)]
    const jobs = name === undefined ? await listAllJobs(client, namespace) : await find(name)
    const all = await listEvents(client, namespace)
    const events = jobs
      .flatMap((job): JobEvent[] => {
        const place = job.metadata.namespace
        // Another namespace may have a job of this name, with pods of the same names.
        const here = all.filter(({ metadata }) => metadata.namespace === place)
        const told = eventsOfJob(here, job, namesOfReplicas(read(job)))
        const at = (object: string): string =>
          object === 'job' ? (job.metadata.name ?? '') : `${job.metadata.name}/${object}`
        return told.map((event) => ({
          ...event,
          ...(namespace === undefined && { namespace: place }),
          ...(name === undefined && { object: at(event.object) }),
        }))
      })
      .sort((a, b) => a.last - b.last)
    if (format) terminal.out(await renderData({ events: events.map(dataOfEvent) }, format))
    else if (context.names) terminal.out(events.map((event) => (event.name ? `event/${event.name}\n` : '')).join(''))
    else if (events.length === 0) {
      const jobsThere = namespace === undefined ? 'jobs' : `jobs in namespace ${namespace}`
      terminal.err(`no events of ${name ?? jobsThere}\n`)
    } else {
      const style = context.wide ? { ...out, width: Number.POSITIVE_INFINITY } : out
      terminal.out(`${renderEvents(events, style, Date.now()).join('\n')}\n`)
    }
    return 0
  } finally {
    await client.close()
  }
}
