// Kubernetes' definitions as structural schemas for our CRDs: references resolved, without descriptions, every list
// atomic. A list of type map would compare without regard to order, and the order of containers has a meaning here.
import type { Schema } from '../../src/api/schema/schema.ts'
import { type Definition, refName } from './kubernetes-openapi.ts'

const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'

const SCALARS: Record<string, Schema> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { 'x-kubernetes-int-or-string': true },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    'x-kubernetes-int-or-string': true,
    pattern: QUANTITY,
    patternMeans: 'is no quantity; write for example 500m, 2 or 8Gi',
  },
}

const core = 'io.k8s.api.core.v1.'
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** What our kinds take over from Kubernetes, by the short name. */
export const TAKEN = {
  PodTemplateSpec: `${core}PodTemplateSpec`,
  ServicePort: `${core}ServicePort`,
  ResourceRequirements: `${core}ResourceRequirements`,
  ObjectReference: `${core}ObjectReference`,
  LabelSelector: 'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
}

export function buildStructural(definitions: Record<string, Definition>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(TAKEN).map(([name, full]) => {
      const schema = toStructural({ $ref: `#/definitions/${full}` }, definitions)
      return [name, name === 'PodTemplateSpec' ? boundPodTemplate(schema) : schema]
    }),
  )
}

function toStructural(definition: Definition, all: Record<string, Definition>): Schema {
  if (definition.$ref) {
    const name = refName(definition.$ref)
    if (SCALARS[name]) return { ...SCALARS[name] }
    const target = all[name]
    if (!target) throw new Error(`no definition ${name} in gen/kubernetes-openapi.json`)
    const schema = toStructural(target, all)
    // A server fills these in; in a template they mean nothing.
    if (name === META && schema.properties) delete schema.properties.managedFields
    return schema
  }
  const schema: Schema = {}
  if (definition.type) schema.type = definition.type as NonNullable<Schema['type']>
  if (definition.format) schema.format = definition.format
  if (definition.properties) {
    schema.properties = Object.fromEntries(
      Object.entries(definition.properties).map(([key, child]) => [key, toStructural(child, all)]),
    )
  }
  if (definition.required) schema.required = definition.required
  if (definition.items) schema.items = toStructural(definition.items, all)
  if (definition.additionalProperties) schema.additionalProperties = toStructural(definition.additionalProperties, all)
  if (definition['x-kubernetes-map-type'] === 'atomic') schema['x-kubernetes-map-type'] = 'atomic'
  return schema
}

/** The apiserver estimates what a rule may cost from these bounds. */
function boundPodTemplate(schema: Schema): Schema {
  schema.required = ['spec']
  const spec = schema.properties!.spec!
  for (const key of ['containers', 'initContainers']) {
    const containers = spec.properties![key]!
    containers.maxItems = 64
    if (key === 'containers') containers.minItems = 1
    const name = containers.items!.properties!.name!
    name.maxLength = 63
    name.minLength = 1
  }
  return schema
}
