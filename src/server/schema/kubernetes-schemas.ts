import definitions from '../../../gen/kubernetes-openapi.json' with { type: 'json' }
import type { Schema } from '../../api/schema/schema.ts'

/** A schema with what patches need to know, and the Go type that decoding errors name. */
export interface TypedSchema extends Omit<Schema, 'properties' | 'items' | 'additionalProperties'> {
  properties?: Record<string, TypedSchema>
  items?: TypedSchema
  additionalProperties?: TypedSchema | boolean
  'x-kubernetes-patch-merge-key'?: string
  'x-kubernetes-patch-strategy'?: string
  goType?: string
}

interface Raw extends TypedSchema {
  $ref?: string
}

const ANY_JSON = new Set([
  'JSON',
  'JSONSchemaPropsOrArray',
  'JSONSchemaPropsOrBool',
  'JSONSchemaPropsOrStringArray',
  'FieldsV1',
])

const shortName = (definition: string): string => definition.slice(definition.lastIndexOf('.') + 1)

const nodes = new Map<string, TypedSchema>()

// Two passes: refs may form circles (JSONSchemaProps), so every node must exist before the first is followed.
for (const [name, raw] of Object.entries(definitions as unknown as Record<string, Raw>)) {
  nodes.set(name, { ...structuredClone(raw), goType: shortName(name) })
}
for (const [name, node] of nodes) {
  if (ANY_JSON.has(shortName(name))) {
    for (const key of Object.keys(node)) delete node[key as keyof TypedSchema]
    node['x-kubernetes-preserve-unknown-fields'] = true
  } else if (shortName(name) === 'IntOrString') {
    delete node.type
    node['x-kubernetes-int-or-string'] = true
  } else if (shortName(name) === 'Quantity') {
    node.format = 'quantity'
  } else linkChildren(node)
}

// The v2 document lacks the one default that matters for identity: a port without a protocol is a TCP port.
for (const name of ['ServicePort', 'ContainerPort']) {
  const protocol = nodes.get(`io.k8s.api.core.v1.${name}`)?.properties?.protocol
  if (protocol) protocol.default = 'TCP'
}

function linkChildren(node: TypedSchema): void {
  const properties = node.properties ?? {}
  for (const [key, child] of Object.entries(properties)) properties[key] = resolve(child)
  if (node.items) node.items = resolve(node.items)
  if (node.additionalProperties && typeof node.additionalProperties === 'object') {
    node.additionalProperties = resolve(node.additionalProperties)
  }
}

function resolve(raw: Raw): TypedSchema {
  if (!raw.$ref) {
    linkChildren(raw)
    return raw
  }
  const { $ref, ...siblings } = raw
  const target = nodes.get($ref.slice('#/definitions/'.length))
  if (!target) throw new Error(`no definition ${$ref}`)
  return Object.keys(siblings).length === 0 ? target : { ...target, ...siblings }
}

/** Of `io.k8s.api.core.v1.Pod` and the like; references are followed, so the graph may be cyclic. */
export function kubernetesSchema(definition: string): TypedSchema {
  const node = nodes.get(definition)
  if (!node) throw new Error(`no definition ${definition}`)
  return node
}

/** Of a kind of Kubernetes that is known here, served or not. */
export function schemaOfKind(apiVersion: unknown, kind: unknown): TypedSchema | undefined {
  const [version = '', group = ''] = String(apiVersion).split('/').reverse()
  return nodes.get(`io.k8s.api.${group.split('.')[0] || 'core'}.${version}.${String(kind)}`)
}

export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
