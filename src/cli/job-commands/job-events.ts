// What happened to a job, from the events about it and about its pods.
import type { Event } from '../../../gen/kubernetes-types.ts'
import { EVENTS, isNewer, type KubeClient, type KubeObject } from '../../kube/index.ts'
import { fromTimestamp, type Instant, toTimestamp } from '../../lib/time.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { type Column, renderTable } from '../output/table.ts'
import type { Style } from '../output/terminal.ts'
import type { ReplicaNames } from './replica-of-pod.ts'
import { spellAge } from './spell-duration.ts'

export interface JobEvent {
  /** Of the event in the API; absent where it is read off the job. */
  name?: string
  /** Where several namespaces are shown. */
  namespace?: string
  first: Instant
  last: Instant
  count: number
  type: string
  reason: string
  /** A replica, or `job`. */
  object: string
  message: string
}

export type ApiEvent = Event & KubeObject

export async function listEvents(client: KubeClient, namespace?: string): Promise<ApiEvent[]> {
  return (await client.list(EVENTS, { namespace })).items
}

/** In the order of the times whose age is shown, its creation first: that one is read off the job, for an event would cost a write. */
export function eventsOfJob(events: readonly ApiEvent[], job: AnyJob, names: ReplicaNames): JobEvent[] {
  const told = events
    .filter(({ involvedObject }) =>
      involvedObject.kind === 'Pod'
        ? names.replicaOf(involvedObject.name ?? '') !== undefined
        : involvedObject.uid === job.metadata.uid,
    )
    .sort(byTime)
    .map((event) => toJobEvent(event, names))
  return [creationOf(job), ...told]
}

function creationOf({ kind, metadata }: AnyJob): JobEvent {
  const at = fromTimestamp(metadata.creationTimestamp) ?? 0
  const message = `A ${kind} has been created: ${metadata.name}`
  return { first: at, last: at, count: 1, type: 'Normal', reason: 'Created', object: 'job', message }
}

function toJobEvent(event: ApiEvent, names: ReplicaNames): JobEvent {
  const { type = 'Normal', reason = '', message = '', count = 1, involvedObject } = event
  const first = timeOf(event)
  const { name } = event.metadata
  const told = { name, first, last: lastTimeOf(event), count, type, reason }
  const replica = involvedObject.kind === 'Pod' ? names.replicaOf(involvedObject.name ?? '') : undefined
  if (replica !== undefined) return { ...told, object: replica, message }
  // The operator's events stand on the job and begin with the replica they are about, or name its pod.
  const [, key, rest] = /^([a-z0-9-]+-\d+): (.*)$/s.exec(message) ?? []
  if (key !== undefined && names.replicas.includes(key)) return { ...told, object: key, message: rest! }
  const words = message.match(/[a-z0-9-]+/g) ?? []
  const named = new Set(words.map((word) => names.replicaOf(word)).filter((each) => each !== undefined))
  return { ...told, object: named.size === 1 ? [...named][0]! : 'job', message }
}

const timeOf = ({ firstTimestamp, eventTime, metadata }: ApiEvent): Instant =>
  fromTimestamp(firstTimestamp ?? eventTime ?? metadata.creationTimestamp) ?? 0

const lastTimeOf = (event: ApiEvent): Instant => fromTimestamp(event.lastTimestamp) ?? timeOf(event)

function byTime(a: ApiEvent, b: ApiEvent): number {
  return lastTimeOf(a) - lastTimeOf(b) || (isNewer(a.metadata.resourceVersion, b.metadata.resourceVersion) ? 1 : -1)
}

export const dataOfEvent = ({ first, last, ...rest }: JobEvent): object => ({
  ...rest,
  first: toTimestamp(first),
  last: toTimestamp(last),
})

const columns: Column[] = [
  { header: 'AGE' },
  { header: 'TYPE' },
  { header: 'REASON' },
  { header: 'OBJECT' },
  { header: 'MESSAGE' },
]

export function renderEvents(events: readonly JobEvent[], style: Style, now: Instant): string[] {
  const namespaces = events.some(({ namespace }) => namespace !== undefined)
  const rows = events.map(({ namespace = '', last, type, reason, object, message, count }) => {
    const times = count > 1 ? ` (${count} times)` : ''
    return [...(namespaces ? [namespace] : []), spellAge(now - last), type, reason, object, message + times]
  })
  const all = [...(namespaces ? [{ header: 'NAMESPACE' }] : []), ...columns]
  const [header, ...lines] = renderTable(all, rows, style)
  return [
    header!,
    ...lines.map((line, i) =>
      events[i]!.type === 'Warning' ? line.replace('Warning', style.paint('yellow', 'Warning')) : line,
    ),
  ]
}
