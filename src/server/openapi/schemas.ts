import type { Schema } from '../../api/schema/schema.ts'
import type { Registry } from '../resources/registry.ts'
import type { Resource } from '../resources/resource.ts'
import { OBJECT_META } from '../schema/kubernetes-schemas.ts'

export type Json = Record<string, unknown>
export type Definitions = Record<string, Json>

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.'
const LIST_META = `${META}ListMeta`
const GVK = 'x-kubernetes-group-version-kind'
export const REFS = '#/components/schemas/'

let published: Promise<Definitions> | undefined

/** What Kubernetes says of its own kinds, prose included. Long and seldom asked for: read when the first client does. */
export function loadPublished(): Promise<Definitions> {
  published ??= import('../../../gen/kubernetes-openapi-v3.json', { with: { type: 'json' } }).then(
    (file) => file.default as unknown as Definitions,
  )
  return published
}

export const gvkOf = ({ group, version, kind }: Pick<Resource, 'group' | 'version' | 'kind'>): Json => ({
  group,
  kind,
  version,
})

const ref = (name: string): Json => ({ $ref: REFS + name })

function listDefinition(resource: Resource): Json {
  return {
    description: `${resource.listKind} is a list of ${resource.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: ref(LIST_META),
      items: { type: 'array', items: ref(resource.definition) },
    },
    [GVK]: [gvkOf({ ...resource, kind: resource.listKind })],
  }
}

export const listName = (resource: Resource): string => `${resource.definition}List`

/** All definitions that the given resources need, those of Kubernetes included, as OpenAPI v3 has them. */
export function buildDefinitions(resources: readonly Resource[], known: Definitions): Definitions {
  const out: Definitions = {}
  const take = (name: string): void => {
    const definition = known[name]
    if (out[name] || !definition) return
    out[name] = definition
    for (const [, below = ''] of JSON.stringify(definition).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
      take(below)
  }
  for (const name of [OBJECT_META, LIST_META, `${META}Status`, `${META}DeleteOptions`]) take(name)
  for (const resource of resources) {
    if (resource.custom) out[resource.definition] = customDefinition(resource, known)
    else take(resource.definition)
    out[resource.definition] = { ...out[resource.definition], [GVK]: [gvkOf(resource)] }
    out[listName(resource)] = listDefinition(resource)
  }
  return out
}

/** What every object has is described in the words Kubernetes uses for its own. */
function customDefinition(resource: Resource, known: Definitions): Json {
  const schema = resource.schema as Schema
  const own = (known['io.k8s.api.core.v1.Pod']?.properties ?? {}) as Definitions
  const properties = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, publish(value)])
  return {
    ...(publish(schema) as Json),
    properties: {
      ...Object.fromEntries(properties),
      apiVersion: own.apiVersion,
      kind: own.kind,
      metadata: { allOf: [ref(OBJECT_META)], description: own.metadata?.description },
    },
  }
}

/** Rules are not part of what is published; the rest is. */
function publish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publish)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'goType')
      .map(([key, child]) => [key, key === 'metadata' ? child : publish(child)]),
  )
}

export function resourcesOf(registry: Registry, group: string, version: string): Resource[] {
  return registry.all().filter((r) => r.group === group && r.version === version)
}
