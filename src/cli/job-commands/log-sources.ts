// Which logs a job has: every attempt that the home has kept, or on a cluster what its pods still tell.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { JobModel } from '../../core/job-model.ts'
import { isNotFound, type KubeClient, type KubeObject, PODS } from '../../kube/index.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { attemptOfPod, podsOfJob, type ReplicaNames, replicaOfPod } from './replica-of-pod.ts'

export interface LogSource {
  id: string
  replica: string
  /** Over all replicas of the job; those it no longer has come last. */
  rank: number
  attempt: number
  container: string
  open(query: LogQuery): AsyncIterable<Uint8Array>
}

export interface LogQuery {
  follow?: boolean
  timestamps?: boolean
  tailLines?: number
  signal?: AbortSignal
}

export interface KeptLog {
  pod: string
  uid: string
  attempt: number
  container: string
  run: number
  bytes: number
  createdAt: string
  /** Of the last run of the container, once its pod is gone. */
  startedAt?: string
  finishedAt?: string
}

/** Undefined where nobody keeps logs: on a cluster. */
export async function listKeptLogs(client: KubeClient, { metadata }: AnyJob): Promise<KeptLog[] | undefined> {
  try {
    const { logs } = (await client.raw({ method: 'GET', path: keptPath(metadata) })) as { logs: KeptLog[] }
    return logs
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const keptPath = ({ namespace = '', uid = '' }: AnyJob['metadata'], ...more: string[]): string =>
  `/trainyard/v1/namespaces/${[namespace, 'logs', uid, ...more].map(encodeURIComponent).join('/')}`

/** In order of rank and attempt. */
export async function listLogSources(client: KubeClient, job: AnyJob, names: ReplicaNames): Promise<LogSource[]> {
  const kept = await listKeptLogs(client, job)
  const sources = kept
    ? kept.map((log) => sourceOfKept(client, job, names, log))
    : await sourcesOfPods(client, job, names)
  return sources.sort((a, b) => a.rank - b.rank || a.attempt - b.attempt)
}

function sourceOfKept(client: KubeClient, job: AnyJob, names: ReplicaNames, log: KeptLog): LogSource {
  const replica = names.replicaOf(log.pod) ?? log.pod
  return {
    id: `${log.uid}/${log.container}/${log.run}`,
    replica,
    rank: rankOf(names, replica),
    attempt: log.attempt,
    container: log.container,
    open: ({ signal, ...query }) =>
      client.stream({
        method: 'GET',
        path: keptPath(job.metadata, log.uid, log.container),
        query: { ...query, run: log.run },
        accept: '*/*',
        signal,
      }),
  }
}

async function sourcesOfPods(client: KubeClient, job: AnyJob, names: ReplicaNames): Promise<LogSource[]> {
  const { namespace = '', uid } = job.metadata
  const { items } = await client.list(PODS, { namespace, labelSelector: podsOfJob(uid) })
  return items.filter(hasStarted).flatMap((pod) => {
    const replica = replicaOfPod(pod)
    const { initContainers = [], containers = [] } = pod.spec ?? {}
    return [...initContainers, ...containers].map(
      ({ name: container }): LogSource => ({
        id: `${pod.metadata.uid}/${container}`,
        replica,
        rank: rankOf(names, replica),
        attempt: attemptOfPod(pod),
        container,
        open: (query) => client.logs({ namespace, name: pod.metadata.name ?? '' }, { container, ...query }),
      }),
    )
  })
}

const hasStarted = ({ status }: Pod & KubeObject): boolean => status?.phase !== undefined && status.phase !== 'Pending'

function rankOf({ replicas }: ReplicaNames, replica: string): number {
  const rank = replicas.indexOf(replica)
  return rank < 0 ? replicas.length : rank
}

/** The container whose end is the replica's end; the only one there is, mostly. */
export function trainingContainerOf(model: JobModel, replica: string): string | undefined {
  const role = model.roles.find(({ type }) => type === replica.replace(/-\d+$/, ''))
  return role?.template.spec?.containers[role.trainingContainer]?.name
}
