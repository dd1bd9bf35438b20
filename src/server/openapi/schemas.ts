import definitions from '../../../gen/kubernetes-openapi.json' with { type: 'json' }
import type { Schema } from '../../api/schema/schema.ts'
import type { Registry } from '../resources/registry.ts'
import type { Resource } from '../resources/resource.ts'
import { OBJECT_META } from '../schema/kubernetes-schemas.ts'

type Json = Record<string, unknown>

const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'
const GVK = 'x-kubernetes-group-version-kind'

/** Definitions by name, with references written for OpenAPI v2 or v3. */
export type RefStyle = '#/definitions/' | '#/components/schemas/'

const inStyle = (value: unknown, style: RefStyle): unknown =>
  style === '#/definitions/'
    ? value
    : JSON.parse(JSON.stringify(value).replaceAll('"$ref":"#/definitions/', `"$ref":"${style}`))

export const gvkOf = ({ group, version, kind }: Pick<Resource, 'group' | 'version' | 'kind'>): Json => ({
  group,
  kind,
  version,
})

const ref = (name: string, style: RefStyle): Json => ({ $ref: style + name })

export function listDefinition(resource: Resource, style: RefStyle): Json {
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: ref(LIST_META, style),
      items: { type: 'array', items: ref(resource.definition, style) },
    },
    [GVK]: [gvkOf({ ...resource, kind: resource.listKind })],
  }
}

export const listName = (resource: Resource): string => `${resource.definition}List`

/** All definitions that the given resources need, those of Kubernetes included. */
export function buildDefinitions(resources: readonly Resource[], style: RefStyle): Json {
  const out: Json = {}
  const known = definitions as unknown as Record<string, Json>
  const take = (name: string): void => {
    if (out[name] || !known[name]) return
    const converted = inStyle(known[name], style) as Json
    out[name] = converted
    for (const [, below] of JSON.stringify(known[name]).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g))
      take(below ?? '')
  }
  for (const name of [
    OBJECT_META,
    LIST_META,
    'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
    'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  ])
    take(name)
  for (const resource of resources) {
    if (resource.custom) out[resource.definition] = customDefinition(resource, style)
    else take(resource.definition)
    out[resource.definition] = { ...(out[resource.definition] as Json), [GVK]: [gvkOf(resource)] }
    out[listName(resource)] = listDefinition(resource, style)
  }
  return out
}

function customDefinition(resource: Resource, style: RefStyle): Json {
  const schema = resource.schema as Schema
  const properties = { ...schema.properties } as Json
  return {
    ...(publish(schema) as Json),
    properties: {
      ...(Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, publish(value)])) as Json),
      metadata: ref(OBJECT_META, style),
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
