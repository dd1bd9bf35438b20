import type { Registry } from '../resources/registry.ts'
import { groupVersion, type Resource, type Verb } from '../resources/resource.ts'
import { VIRTUAL } from '../resources/virtual.ts'

interface Listed {
  group: string
  version: string
  plural: string
  singular: string
  kind: string
  namespaced: boolean
  verbs: readonly Verb[]
  custom?: boolean
  shortNames: readonly string[]
  categories: readonly string[]
  subresources: Subresource[]
}

interface Subresource {
  name: string
  verbs: readonly string[]
  kind: { group: string; version: string; kind: string }
}

const SUBRESOURCE_KINDS: Record<string, { kind: Subresource['kind']; verbs: string[] }> = {
  binding: { kind: { group: '', version: 'v1', kind: 'Binding' }, verbs: ['create'] },
  eviction: { kind: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
  log: { kind: { group: '', version: 'v1', kind: 'Pod' }, verbs: ['get'] },
  exec: { kind: { group: '', version: 'v1', kind: 'PodExecOptions' }, verbs: ['create', 'get'] },
  attach: { kind: { group: '', version: 'v1', kind: 'PodAttachOptions' }, verbs: ['create', 'get'] },
  portforward: { kind: { group: '', version: 'v1', kind: 'PodPortForwardOptions' }, verbs: ['create', 'get'] },
  finalize: { kind: { group: '', version: 'v1', kind: 'Namespace' }, verbs: ['update'] },
  scale: { kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'patch', 'update'] },
}

function everything(registry: Registry): Listed[] {
  return [
    ...registry.all().map(describe),
    ...VIRTUAL.map((row) => ({ ...row, shortNames: [], categories: [], subresources: [] })),
  ]
}

function describe(resource: Resource): Listed {
  const { group, version, kind } = resource
  const names = [...resource.subresources, ...(resource.scale ? ['scale'] : [])]
  const subresources: Subresource[] = names.flatMap((name) => {
    const known = SUBRESOURCE_KINDS[name]
    return known ? [{ name, ...known }] : []
  })
  if (resource.statusSubresource)
    subresources.push({ name: 'status', verbs: ['get', 'patch', 'update'], kind: { group, version, kind } })
  subresources.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { ...resource, subresources }
}

/** Versions per group, preferred first; the core group is apart. */
function groupsOf(registry: Registry): Map<string, string[]> {
  const groups = registry.groups()
  for (const { group, version } of VIRTUAL) if (!groups.has(group)) groups.set(group, [version])
  groups.delete('')
  return groups
}

export const legacyVersions = (address: string): unknown => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
})

export function groupList(registry: Registry): unknown {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [...groupsOf(registry)].map(([name, versions]) => groupBody(name, versions)),
  }
}

function groupBody(name: string, versions: readonly string[]): Record<string, unknown> {
  const listed = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: listed, preferredVersion: listed[0] }
}

export function oneGroup(registry: Registry, name: string): unknown {
  const versions = groupsOf(registry).get(name)
  return versions && { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(name, versions) }
}

/** `/api/v1`, `/apis/group/version`: what is served there. */
export function resourceList(registry: Registry, group: string, version: string): unknown {
  const listed = everything(registry).filter((r) => r.group === group && r.version === version)
  if (listed.length === 0) return undefined
  const resources = listed
    .flatMap((r) => [
      {
        name: r.plural,
        singularName: r.singular,
        namespaced: r.namespaced,
        kind: r.kind,
        verbs: r.custom ? CUSTOM_ORDER : r.verbs,
        ...(r.shortNames.length > 0 ? { shortNames: r.shortNames } : {}),
        ...(r.categories.length > 0 ? { categories: r.categories } : {}),
        ...(r.verbs.includes('list') ? { storageVersionHash: storageHash(r) } : {}),
      },
      ...r.subresources.map((s) => ({
        name: `${r.plural}/${s.name}`,
        singularName: '',
        namespaced: r.namespaced,
        ...(s.kind.group === group && s.kind.version === version
          ? {}
          : { group: s.kind.group, version: s.kind.version }),
        kind: s.kind.kind,
        verbs: s.verbs,
      })),
    ])
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: groupVersion({ group, version }), resources }
}

/** Custom kinds list their verbs in an order of their own. */
const CUSTOM_ORDER = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

const storageHash = (r: Listed): string =>
  Buffer.from(`${r.group}/${r.version}/${r.kind}`).toString('base64').slice(0, 12)

/** apidiscovery.k8s.io/v2: all of the above in one answer. */
export function aggregatedDiscovery(registry: Registry, legacy: boolean): unknown {
  const all = everything(registry)
  const groups = legacy ? new Map([['', ['v1']]]) : groupsOf(registry)
  const items = [...groups].map(([group, versions]) => ({
    metadata: { ...(group ? { name: group } : {}), creationTimestamp: null },
    versions: versions.map((version) => ({
      version,
      resources: all.filter((r) => r.group === group && r.version === version).map(aggregatedResource),
      freshness: 'Current',
    })),
  }))
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }
}

function aggregatedResource(r: Listed): Record<string, unknown> {
  return {
    resource: r.plural,
    responseKind: { group: r.group, version: r.version, kind: r.kind },
    scope: r.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: r.singular,
    verbs: r.custom ? CUSTOM_ORDER : r.verbs,
    ...(r.shortNames.length > 0 ? { shortNames: r.shortNames } : {}),
    ...(r.categories.length > 0 ? { categories: r.categories } : {}),
    ...(r.subresources.length > 0
      ? { subresources: r.subresources.map((s) => ({ subresource: s.name, responseKind: s.kind, verbs: s.verbs })) }
      : {}),
  }
}
