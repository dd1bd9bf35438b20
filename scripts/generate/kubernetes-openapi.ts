// Takes what we use of Kubernetes' own OpenAPI document (in the Go module k8s.io/kubernetes) into
// gen/kubernetes-openapi.json: definitions reachable from the roots, without descriptions.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Definition {
  type?: string
  format?: string
  properties?: Record<string, Definition>
  required?: string[]
  items?: Definition
  additionalProperties?: Definition
  $ref?: string
  [extension: `x-kubernetes-${string}`]: unknown
}

export const KUBERNETES_VERSION = 'v1.37.1'

const core = 'io.k8s.api.core.v1.'
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.'

export const ROOTS = [
  ...['Pod', 'PodTemplateSpec', 'Service', 'Endpoints', 'Node', 'Namespace', 'ConfigMap', 'Secret', 'Event'].map(
    (k) => core + k,
  ),
  ...['ServiceAccount', 'PersistentVolumeClaim', 'ObjectReference', 'Binding'].map((k) => core + k),
  ...['ObjectMeta', 'ListMeta', 'Status', 'DeleteOptions', 'LabelSelector', 'Condition'].map((k) => meta + k),
  'io.k8s.api.coordination.v1.Lease',
  'io.k8s.api.scheduling.v1.PriorityClass',
  'io.k8s.api.policy.v1.Eviction',
  'io.k8s.api.autoscaling.v1.Scale',
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.authorization.v1.SelfSubjectAccessReview',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
]

const PREFIX = '#/definitions/'
export const refName = (ref: string): string => ref.slice(PREFIX.length)

export function extractOpenApi(): Record<string, Definition> {
  const download = execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${KUBERNETES_VERSION}`], {
    cwd: '/',
    encoding: 'utf8',
  })
  const folder = (JSON.parse(download) as { Dir: string }).Dir
  const swagger = JSON.parse(readFileSync(join(folder, 'api/openapi-spec/swagger.json'), 'utf8'))
  const all = swagger.definitions as Record<string, Definition>
  const taken = new Map<string, Definition>()
  const take = (name: string): void => {
    if (taken.has(name)) return
    const definition = all[name]
    if (!definition) throw new Error(`Kubernetes ${KUBERNETES_VERSION} has no definition ${name}`)
    const bare = withoutDescriptions(definition)
    taken.set(name, bare)
    for (const ref of refsOf(bare)) take(refName(ref))
  }
  for (const root of ROOTS) take(root)
  return Object.fromEntries([...taken].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function withoutDescriptions(definition: Definition): Definition {
  const bare: Definition = {}
  for (const [key, value] of Object.entries(definition)) {
    if (key === 'description' || key === 'x-kubernetes-group-version-kind') continue
    if (key === 'properties') {
      bare.properties = Object.fromEntries(
        Object.entries(value as Record<string, Definition>).map(([name, p]) => [name, withoutDescriptions(p)]),
      )
    } else if (key === 'items' || key === 'additionalProperties') bare[key] = withoutDescriptions(value as Definition)
    else (bare as Record<string, unknown>)[key] = value
  }
  return bare
}

function* refsOf(definition: Definition): Generator<string> {
  if (definition.$ref) yield definition.$ref
  if (definition.items) yield* refsOf(definition.items)
  if (definition.additionalProperties) yield* refsOf(definition.additionalProperties)
  for (const property of Object.values(definition.properties ?? {})) yield* refsOf(property)
}
