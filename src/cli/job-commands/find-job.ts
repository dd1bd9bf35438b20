// A job by its name, whatever its kind.
import { kinds } from '../../api/kinds.ts'
import { ApiError, isNotFound, type KubeClient, type Resource } from '../../kube/index.ts'
import { type AnyJob, JOB_RESOURCES, resourceOf } from '../home/running-jobs.ts'
import { HomeError } from '../home/start-home.ts'
import { UsageError } from '../usage-error.ts'
import { Declined } from './declined.ts'

const NAMES_IN_A_MESSAGE = 20

/** `digits`, or `pj/digits` where two kinds have a job of that name. */
export async function findJob(client: KubeClient, namespace: string, wanted: string): Promise<AnyJob> {
  const job = await findJobIfThere(client, namespace, wanted)
  if (job) return job
  const others = await listAllJobs(client, namespace)
  throw new Declined(noSuchJob(partsOf(wanted).name, `namespace ${namespace}`, namesOf(others)))
}

export async function findJobIfThere(
  client: KubeClient,
  namespace: string,
  wanted: string,
): Promise<AnyJob | undefined> {
  const { name, resources } = partsOf(wanted)
  const found = (await Promise.all(resources.map((resource) => getIfThere(client, resource, namespace, name)))).flat()
  if (found.length > 1) {
    const ways = found.map((job) => `${job.kind.toLowerCase()}/${name}`)
    throw new Declined(`there are ${found.length} jobs "${name}" in namespace ${namespace}; say ${ways.join(' or ')}`)
  }
  return found[0]
}

/** In all namespaces; every one that is called so. */
export async function findJobsAnywhere(client: KubeClient, wanted: string): Promise<AnyJob[]> {
  const { name, resources } = partsOf(wanted)
  const all = await listAllJobs(client)
  const found = all.filter((job) => job.metadata.name === name && resources.includes(resourceOf(job)))
  if (found.length === 0) throw new Declined(noSuchJob(name, 'any namespace', namesOf(all)))
  return found
}

function partsOf(wanted: string): { name: string; resources: ReadonlyArray<Resource<AnyJob>> } {
  const [before, after] = wanted.split('/', 2) as [string, string?]
  return after === undefined
    ? { name: before, resources: JOB_RESOURCES }
    : { name: after, resources: [resourceNamed(before)] }
}

const namesOf = (jobs: readonly AnyJob[]): string[] => jobs.map(({ metadata }) => metadata.name ?? '')

export function noSuchJob(name: string, where: string, others: readonly string[]): string {
  const sorted = [...new Set(others)].sort()
  const more = sorted.length > NAMES_IN_A_MESSAGE ? ` and ${sorted.length - NAMES_IN_A_MESSAGE} more` : ''
  const there =
    sorted.length > 0 ? `there are ${sorted.slice(0, NAMES_IN_A_MESSAGE).join(', ')}${more}` : 'there are none'
  return `no job "${name}" in ${where}; ${sorted.length === 1 ? `there is ${sorted[0]}` : there}`
}

/** By name. Kinds the cluster has not heard of have no jobs; none of them at all means nobody installed them. */
export async function listAllJobs(client: KubeClient, namespace?: string, selector?: string): Promise<AnyJob[]> {
  const lists = await Promise.all(
    JOB_RESOURCES.map((resource) =>
      client.list(resource, { namespace, labelSelector: selector }).then(
        ({ items }) => items,
        (error: unknown) => {
          if (isNotFound(error)) return undefined
          if (selector !== undefined && error instanceof ApiError && error.code === 400)
            throw new UsageError(`-l ${selector}: ${error.message}`)
          throw error
        },
      ),
    ),
  )
  if (lists.every((list) => list === undefined)) {
    throw new HomeError('the cluster does not know these kinds of jobs; trainyard is not installed there')
  }
  const key = ({ metadata }: AnyJob): string => `${metadata.namespace}/${metadata.name}`
  return lists.flatMap((list) => list ?? []).sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

async function getIfThere(
  client: KubeClient,
  resource: Resource<AnyJob>,
  namespace: string,
  name: string,
): Promise<AnyJob[]> {
  try {
    return [await client.get(resource, { namespace, name })]
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

function resourceNamed(word: string): Resource<AnyJob> {
  const lower = word.toLowerCase()
  const known = kinds.filter(({ job }) => job)
  const found = known.find(({ plural, singular, shortNames }) => [plural, singular, ...shortNames].includes(lower))
  if (!found)
    throw new UsageError(`no kind of job is called ${word}; there are ${known.map((k) => k.singular).join(', ')}`)
  return JOB_RESOURCES.find(({ kind }) => kind === found.kind)!
}
