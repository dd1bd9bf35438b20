import { badRequest } from '../status-error.ts'

/** Where a request goes, by the grammar of Kubernetes URLs. */
export interface ResourceTarget {
  kind: 'resource'
  group: string
  version: string
  plural: string
  namespace: string | undefined
  name: string | undefined
  subresource: string | undefined
  query: URLSearchParams
}

export interface PathTarget {
  kind: 'path'
  /** Without empty segments: `/api/v1/` and `/api/v1` are one. */
  segments: string[]
  query: URLSearchParams
}

export type Target = ResourceTarget | PathTarget

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

export function parseTarget(url: string): Target {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment)
  const prefix = segments[0] === 'api' ? 2 : segments[0] === 'apis' ? 3 : 0
  if (prefix === 0 || segments.length <= prefix) return { kind: 'path', segments, query }
  const group = prefix === 2 ? '' : (segments[1] ?? '')
  const version = segments[prefix - 1] ?? ''
  return { kind: 'resource', group, version, query, ...parseRest(segments.slice(prefix)) }
}

function parseRest(rest: string[]): Pick<ResourceTarget, 'plural' | 'namespace' | 'name' | 'subresource'> {
  const [first = '', second, third] = rest
  // `namespaces/x/pods` is inside x; `namespaces/x` and `namespaces/x/status` are the namespace itself.
  if (first === 'namespaces' && second !== undefined && third !== undefined && !NAMESPACE_SUBRESOURCES.has(third)) {
    return { plural: third, namespace: second, name: rest[3], subresource: join(rest.slice(4)) }
  }
  return { plural: first, namespace: undefined, name: second, subresource: join(rest.slice(2)) }
}

const join = (segments: string[]): string | undefined => (segments.length === 0 ? undefined : segments.join('/'))

function decodeSegment(segment: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    throw badRequest(`the path segment "${segment}" is not correctly percent-encoded`)
  }
  if (decoded.includes('/') || decoded.includes('\0') || decoded === '.' || decoded === '..') {
    throw badRequest(`invalid path segment "${segment}": it may not be '.' or '..' or contain '/'`)
  }
  return decoded
}
