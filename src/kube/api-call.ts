/** What a request asks for, in Kubernetes' own terms. */
export interface ApiCall {
  verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'other'
  /** `pods`, `pytorchtrainingjobs/status`; empty for pages that are no resource. */
  resource: string
}

const WRITES: Record<string, ApiCall['verb']> = { POST: 'create', PUT: 'update', PATCH: 'patch' }

export function describeCall(method: string, path: string, watch: boolean): ApiCall {
  const steps = path.split('/').slice(1)
  const rest = steps[0] === 'api' ? steps.slice(2) : steps[0] === 'apis' ? steps.slice(3) : []
  // `namespaces/x/pods` is pods of a namespace, `namespaces/x` the namespace itself.
  const [plural, name, subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest
  if (plural === undefined) return { verb: 'other', resource: '' }
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`
  if (method === 'GET') return { verb: watch ? 'watch' : name === undefined ? 'list' : 'get', resource }
  if (method === 'DELETE') return { verb: name === undefined ? 'deletecollection' : 'delete', resource }
  return { verb: WRITES[method] ?? 'other', resource }
}
