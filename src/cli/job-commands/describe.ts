// trainyard describe: everything there is to know about a job.
import type { JobCondition } from '../../api/types.ts'
import { read } from '../../core/read.ts'
import { type KubeClient, PODS } from '../../kube/index.ts'
import type { Instant } from '../../lib/time.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, recordOf } from '../home/running-jobs.ts'
import { renderData } from '../output/data.ts'
import { attemptsOf } from './attempts.ts'
import { type Description, renderDescription, resultOf } from './describe-view.ts'
import { findJob } from './find-job.ts'
import { dataOfEvent, eventsOfJob, listEvents } from './job-events.ts'
import { summariseJob } from './job-summary.ts'
import { listKeptLogs } from './log-sources.ts'
import { fullName, type ShowContext } from './output-form.ts'
import { namesOfReplicas, podsOfJob } from './replica-of-pod.ts'
import { describeDelay } from './waiting-words.ts'

export async function describeJob(context: ShowContext, name: string, options: ClusterOptions): Promise<number> {
  const { terminal, format, names, out, err } = context
  const { client, namespace } = await connect(context, options)
  try {
    const job = await findJob(client, namespace, name)
    if (names) {
      terminal.out(`${fullName(job)}\n`)
      return 0
    }
    const now = Date.now()
    const description = await gather(client, job, now)
    if (format) terminal.out(await renderData(dataOf(description, now), format))
    else {
      const style = context.wide ? { ...out, width: Number.POSITIVE_INFINITY } : out
      terminal.out(`${renderDescription(description, style, now).join('\n')}\n`)
      // In the tables it may be cut.
      if (description.waiting) terminal.err(`${err.paint('yellow', `waiting: ${description.waiting}`)}\n`)
    }
    return 0
  } finally {
    await client.close()
  }
}

async function gather(client: KubeClient, job: AnyJob, now: Instant): Promise<Description> {
  const { namespace = '', uid } = job.metadata
  const [pods, all, kept] = await Promise.all([
    client.list(PODS, { namespace, labelSelector: podsOfJob(uid) }),
    listEvents(client, namespace),
    listKeptLogs(client, job),
  ])
  const model = read(job)
  const names = namesOfReplicas(model)
  const events = eventsOfJob(all, job, names)
  const replicas = attemptsOf({ model, names, record: recordOf(job), pods: pods.items, events, kept, now })
  const conditions = ((job.status as { conditions?: JobCondition[] | null })?.conditions ?? []) as JobCondition[]
  return { job, model, replicas, conditions, events, waiting: describeDelay(job, pods.items) }
}

function dataOf(description: Description, now: Instant): object {
  const { job, model, replicas, conditions, events } = description
  const { name, namespace, kind, phase, restarts, duration } = summariseJob(job, now)
  return {
    name,
    namespace,
    kind,
    uid: job.metadata.uid,
    phase,
    result: resultOf(description),
    restarts: { used: restarts, ...(model.backoffLimit !== undefined && { limit: model.backoffLimit }) },
    created: job.metadata.creationTimestamp,
    durationSeconds: duration / 1000,
    cleanUpPolicy: model.cleanUp,
    replicas: replicas.map(({ replica, rank, attempts }) => ({
      replica,
      rank,
      attempts: attempts.map(({ ran, ...rest }) => ({ ...rest, ...(ran !== undefined && { ranSeconds: ran / 1000 }) })),
    })),
    conditions,
    events: events.map(dataOfEvent),
  }
}
