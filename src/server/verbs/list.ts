import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Api } from '../api.ts'
import { jsonSyntaxError } from '../http/json-syntax.ts'
import type { ApiObject } from '../object.ts'
import { invalidValue } from '../resources/field-errors.ts'
import type { Resource } from '../resources/resource.ts'
import { parseFieldSelector } from '../select/field-selector.ts'
import { parseLabelSelector } from '../select/label-selector.ts'
import { badRequest, expired, StatusError } from '../status-error.ts'
import type { StoredVersion } from '../store/store.ts'
import { checkListOptions } from './list-options.ts'
import { inVersion, isVerbatim } from './versions.ts'

const PAGE = 500

export interface Listed {
  /** Each as it goes over the wire. */
  texts: string[]
  /** Parsed only when somebody looks. */
  objects: () => ApiObject[]
  revision: number
  continueToken: string | undefined
  remaining: number | undefined
}

export interface ListRequest {
  namespace: string | undefined
  query: URLSearchParams
}

interface Bookmark {
  rv: number
  after: { namespace: string; name: string }
}

/** A list is one snapshot, read in pages so that a long one does not hold up everybody else. */
export async function listObjects(api: Api, resource: Resource, request: ListRequest): Promise<Listed> {
  const { query } = request
  checkListOptions(query)
  const matches = buildFilter(resource, request)
  // Whatever revision will do comes from what is at hand, all of it.
  const limit = query.get('resourceVersion') === '0' ? 0 : wholeNumber(query, 'limit')
  const bookmark = decodeContinue(query.get('continue'))
  const at = decideRevision(api, query, bookmark)
  const found: StoredVersion[] = []
  let after = bookmark?.after
  let more = true
  while (more && !(limit && found.length >= limit)) {
    const size = limit && !matches ? Math.min(limit - found.length, PAGE) : PAGE
    const rows = api.store.list({ resource: resource.storageKey, namespace: request.namespace, after, limit: size, at })
    more = rows.length === size
    for (const row of rows) {
      if (limit && found.length >= limit) {
        more = true
        break
      }
      after = { namespace: row.namespace, name: row.name }
      if (!matches || matches(inVersion(resource, row.body, row.rev))) found.push(row)
    }
    if (more) await nextTurn()
  }
  const remaining = limit && after ? api.store.count(resource.storageKey, request.namespace, after) : 0
  const unfinished = limit > 0 && more && remaining > 0
  return {
    texts: found.map((row) =>
      isVerbatim(resource, row.rev) ? row.body : JSON.stringify(inVersion(resource, row.body, row.rev)),
    ),
    objects: () => found.map((row) => inVersion(resource, row.body, row.rev)),
    revision: at,
    continueToken: unfinished && after ? encodeContinue({ rv: at, after }) : undefined,
    remaining: unfinished && !matches ? remaining : undefined,
  }
}

/** Undefined when everything matches, so that nothing needs to be parsed. */
export function buildFilter(resource: Resource, request: ListRequest): ((object: ApiObject) => boolean) | undefined {
  const { query } = request
  const fields = parseFieldSelector(query.get('fieldSelector'), resource)
  const byLabel = query.get('labelSelector')
  const labels = parseLabelSelector(byLabel)
  if (fields.isEmpty && !byLabel?.trim()) return undefined
  return (object) => labels(object.metadata.labels ?? {}) && fields.matches(object)
}

function decideRevision(api: Api, query: URLSearchParams, bookmark: Bookmark | undefined): number {
  const text = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  if (bookmark) {
    if (text && text !== '0') throw badRequest('specifying resource version is not allowed when using continue')
    if (bookmark.rv < api.store.compacted) throw expired(CONTINUE_TOO_OLD)
    return bookmark.rv
  }
  const wanted = parseRevision(text)
  if (wanted > api.store.latest) throw tooLarge(wanted, api.store.latest)
  if (match === 'Exact') {
    if (wanted < api.store.compacted) throw expired(`The resourceVersion for the provided list is too old.`)
    return wanted
  }
  return api.store.latest
}

const CONTINUE_TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.'

/** A revision that is none; a list says it otherwise. */
export function checkRevisionText(text: string): void {
  if (/^\d*$/.test(text)) return
  const cause = invalidValue('resourceVersion', text, `strconv.ParseUint: parsing "${text}": invalid syntax`)
  throw new StatusError(500, '', `${cause.field}: ${cause.message}`)
}

export function parseRevision(text: string): number {
  if (text === '') return 0
  if (!/^\d{1,15}$/.test(text))
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
    )
  return Number(text)
}

export function tooLarge(wanted: number, current: number): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

export function wholeNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name)
  if (text === null || text === '') return 0
  if (!/^-?\d{1,9}$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`)
  return Math.max(0, Number(text))
}

const encodeContinue = (bookmark: Bookmark): string => Buffer.from(JSON.stringify(bookmark)).toString('base64url')

function decodeContinue(token: string | null): Bookmark | undefined {
  if (!token) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const problem = jsonSyntaxError(bytes)
  if (problem) throw badRequest(`invalid continue token: continue key is not valid: ${problem}`)
  try {
    const parsed = JSON.parse(bytes.toString()) as Bookmark
    if (
      Number.isInteger(parsed.rv) &&
      typeof parsed.after.namespace === 'string' &&
      typeof parsed.after.name === 'string'
    )
      return parsed
  } catch {
    // Falls through to the one answer for every token that is not ours.
  }
  throw badRequest('invalid continue token: continue key is not valid')
}
