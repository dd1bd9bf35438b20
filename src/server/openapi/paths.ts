import { groupVersion, type Resource } from '../resources/resource.ts'
import { gvkOf, listName } from './schemas.ts'

type Json = Record<string, unknown>

const query = (name: string, type = 'string'): Json => ({ name, in: 'query', schema: { type, uniqueItems: true } })
const WRITE = [query('dryRun'), query('fieldManager'), query('fieldValidation')]
const LIST = [
  ...['allowWatchBookmarks', 'sendInitialEvents', 'watch'].map((name) => query(name, 'boolean')),
  ...['continue', 'fieldSelector', 'labelSelector', 'resourceVersion', 'resourceVersionMatch'].map((name) =>
    query(name),
  ),
  ...['limit', 'timeoutSeconds'].map((name) => query(name, 'integer')),
]
const PATCHES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json']
/** kubectl apply reads here which kind of patch it may send. */
const patchTypes = ({ custom }: Resource): string[] =>
  custom ? PATCHES : [...PATCHES, 'application/strategic-merge-patch+json']

/** The operations of a resource, for OpenAPI v3: clients learn from them which options the server takes. */
export function buildPaths(resource: Resource): Json {
  const root = resource.group ? `/apis/${groupVersion(resource)}` : `/api/${resource.version}`
  const scope = resource.namespaced ? '/namespaces/{namespace}' : ''
  const collection = `${root}${scope}/${resource.plural}`
  const pathParameter = (name: string): Json => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  })
  const inNamespace = resource.namespaced ? [pathParameter('namespace')] : []
  const operation = buildOperation(resource)
  const paths: Json = {
    [collection]: {
      parameters: inNamespace,
      get: operation('list', LIST, listName(resource)),
      post: operation('post', WRITE, resource.definition, ['*/*']),
      delete: operation('deletecollection', [...LIST, query('dryRun'), query('propagationPolicy')], STATUS),
    },
    [`${collection}/{name}`]: {
      parameters: [pathParameter('name'), ...inNamespace],
      get: operation('get', [], resource.definition),
      put: operation('put', WRITE, resource.definition, ['*/*']),
      patch: operation('patch', [...WRITE, query('force', 'boolean')], resource.definition, patchTypes(resource)),
      delete: operation(
        'delete',
        [query('dryRun'), query('gracePeriodSeconds', 'integer'), query('propagationPolicy')],
        STATUS,
      ),
    },
  }
  if (resource.namespaced) paths[`${root}/${resource.plural}`] = { get: operation('list', LIST, listName(resource)) }
  if (resource.statusSubresource) {
    paths[`${collection}/{name}/status`] = {
      parameters: [pathParameter('name'), ...inNamespace],
      get: operation('get', [], resource.definition),
      put: operation('put', WRITE, resource.definition, ['*/*']),
      patch: operation('patch', [...WRITE, query('force', 'boolean')], resource.definition, patchTypes(resource)),
    }
  }
  return paths
}

const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status'

function buildOperation(resource: Resource) {
  return (action: string, parameters: Json[], answer: string, consumes?: string[]): Json => {
    const schema = { $ref: `#/components/schemas/${answer}` }
    const body = { schema: action === 'patch' ? { type: 'object' } : schema }
    return {
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': gvkOf(resource),
      parameters,
      ...(consumes
        ? { requestBody: { required: true, content: Object.fromEntries(consumes.map((type) => [type, body])) } }
        : {}),
      responses: { '200': { description: 'OK', content: { 'application/json': { schema } } } },
    }
  }
}
