// What a cluster needs to run jobs, one check each.
import type { ConfigMap, Node } from '../../../gen/kubernetes-types.ts'
import { kinds } from '../../api/kinds.ts'
import {
  ApiError,
  isForbidden,
  isNotFound,
  type KubeClient,
  type KubeObject,
  NODES,
  type Resource,
} from '../../kube/index.ts'
import { isObject } from '../../lib/json.ts'
import type { Check } from '../job-commands/doctor-view.ts'

export interface Asked {
  client: KubeClient
  /** The context, or the server's address. */
  where: string
  /** `--context lab`, to be pasted. */
  flags: string
  /** Where the jobs are to run. */
  namespace: string
  /** The kinds of the file's jobs; all of them without a file. */
  kinds: string[]
  /** Of this command. */
  version: string
}

const core = (plural: string, kind: string): Resource<KubeObject> => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
})

type EndpointSlice = KubeObject & { endpoints?: Array<{ conditions?: { ready?: boolean } }> }

const ENDPOINT_SLICES: Resource<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
}

export async function examineCluster({ client, where, namespace, kinds: wanted }: Asked): Promise<Check> {
  const name = 'cluster'
  const version = (await client.raw({ method: 'GET', path: '/version' })) as { gitVersion?: string }
  const nodes = await countNodes(client)
  const denied: string[] = []
  for (const kind of wanted) if (!(await mayCreate(client, kind, namespace))) denied.push(`${kind}s`)
  const about = [`${where}: ${version.gitVersion ?? 'of unknown version'}`, ...(nodes === undefined ? [] : [nodes])]
  if (denied.length > 0) {
    const message = [...about, `you may not create ${denied.join(', ')} in ${namespace}`].join(', ')
    return { name, status: 'problem', message, fix: 'ask whoever runs the cluster for the right to edit these kinds' }
  }
  const all = wanted.length === kinds.filter((kind) => kind.job).length
  const created = all ? 'jobs' : wanted.map((kind) => `${kind}s`).join(', ')
  return { name, status: 'fine', message: [...about, `you may create ${created} in ${namespace}`].join(', ') }
}

async function countNodes(client: KubeClient): Promise<string | undefined> {
  try {
    const { items } = await client.list(NODES)
    const unready = items.filter((node: Node) =>
      node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status !== 'True'),
    ).length
    const count = `${items.length} ${items.length === 1 ? 'node' : 'nodes'}`
    return unready > 0 ? `${count} (${unready} not ready)` : count
  } catch (error) {
    // Not everybody may look at nodes.
    if (isForbidden(error)) return undefined
    throw error
  }
}

async function mayCreate(client: KubeClient, kind: string, namespace: string): Promise<boolean> {
  const { group, plural } = kinds.find((candidate) => candidate.kind === kind)!
  return mayDo(client, { group, resource: plural, verb: 'create', namespace })
}

export async function mayDo(client: KubeClient, attributes: object): Promise<boolean> {
  const apiVersion = 'authorization.k8s.io/v1'
  const body = {
    apiVersion,
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes: attributes },
  }
  const path = `/apis/${apiVersion}/selfsubjectaccessreviews`
  try {
    const answer = await client.raw({ method: 'POST', path, body })
    return isObject(answer) && isObject(answer.status) && answer.status.allowed === true
  } catch (error) {
    // A server without rights of its own lets everybody do everything.
    if (isNotFound(error)) return true
    throw error
  }
}

/** From outside the cluster its DNS can be looked at, not asked. */
export async function examineNames({ client }: Asked): Promise<Check> {
  const name = 'names'
  const at = { namespace: 'kube-system', name: 'kube-dns' }
  try {
    await client.get(core('services', 'Service'), at)
    const ready = await hasEndpoints(client, at)
    if (!ready) {
      const fix = 'kubectl -n kube-system describe pods -l k8s-app=kube-dns'
      return { name, status: 'problem', message: 'cluster DNS does not answer: peers will not find each other', fix }
    }
    const domain = await findDomain(client)
    return { name, status: 'fine', message: `cluster DNS answers${domain ? `, domain ${domain}` : ''}` }
  } catch (error) {
    if (isNotFound(error)) {
      const message =
        'no Service kube-dns in kube-system: peers find each other only if names are served some other way'
      return { name, status: 'remark', message }
    }
    if (error instanceof ApiError && isForbidden(error)) {
      return { name, status: 'remark', message: 'you may not look at the cluster DNS' }
    }
    throw error
  }
}

async function hasEndpoints(
  client: KubeClient,
  { namespace, name }: { namespace: string; name: string },
): Promise<boolean> {
  const labelSelector = `kubernetes.io/service-name=${name}`
  const slices = await client.list(ENDPOINT_SLICES, { namespace, labelSelector })
  return slices.items.some(({ endpoints = [] }) => endpoints.some(({ conditions }) => conditions?.ready !== false))
}

async function findDomain(client: KubeClient): Promise<string | undefined> {
  try {
    const at = { namespace: 'kube-system', name: 'coredns' }
    const { data } = (await client.get(core('configmaps', 'ConfigMap'), at)) as ConfigMap
    return domainOf(data?.Corefile ?? '')
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined
    throw error
  }
}

/** `kubernetes cluster.local in-addr.arpa ip6.arpa {`. */
export function domainOf(corefile: string): string | undefined {
  return /^\s*kubernetes\s+(\S+)/m.exec(corefile)?.[1]?.replace(/\.$/, '')
}
