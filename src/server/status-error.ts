export interface StatusCause {
  reason?: string
  message?: string
  field?: string
}

export interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: StatusCause[]
  retryAfterSeconds?: number
}

export interface Status {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: Record<string, unknown>
  status: 'Success' | 'Failure'
  message?: string
  reason?: string
  details?: StatusDetails
  code?: number
}

/** An answer that is a failure, in the words of the Kubernetes API. */
export class StatusError extends Error {
  readonly code: number
  readonly reason: string
  readonly details: StatusDetails | undefined
  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message)
    this.name = 'StatusError'
    this.code = code
    this.reason = reason
    this.details = details
  }

  toStatus(): Status {
    const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
    if (this.message) status.message = this.message
    if (this.reason) status.reason = this.reason
    if (this.details) status.details = this.details
    status.code = this.code
    return status
  }
}

export interface GroupName {
  group: string
  plural: string
}

const qualified = (r: GroupName): string => (r.group ? `${r.plural}.${r.group}` : r.plural)
const detailsOf = (r: GroupName, name: string): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(r.group ? { group: r.group } : {}),
  kind: r.plural,
})

export const notFound = (r: GroupName, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${qualified(r)} "${name}" not found`, detailsOf(r, name))

export const noSuchPath = (): StatusError =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {})

/** Outside of every API that is served there is nobody who speaks in Statuses. */
export class PageNotFound extends StatusError {
  readonly text = '404 page not found\n'
  constructor() {
    super(404, 'NotFound', '404 page not found')
  }
}

export const alreadyExists = (r: GroupName, name: string): StatusError =>
  new StatusError(409, 'AlreadyExists', `${qualified(r)} "${name}" already exists`, detailsOf(r, name))

export const conflict = (r: GroupName, name: string, why: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(r)} "${name}": ${why}`,
    detailsOf(r, name),
  )

export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again'

export const badRequest = (message: string): StatusError => new StatusError(400, 'BadRequest', message)

export const forbidden = (r: GroupName, name: string, why: string): StatusError =>
  new StatusError(403, 'Forbidden', `${qualified(r)} "${name}" is forbidden: ${why}`, detailsOf(r, name))

export const methodNotAllowed = (): StatusError =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})

export const unsupportedVerb = (r: GroupName, verb: string): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind "${qualified(r)}"`,
    detailsOf(r, ''),
  )

export const expired = (message: string): StatusError => new StatusError(410, 'Expired', message)

export const unsupportedMediaType = (allowed: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${allowed.join(', ')}`,
  )

export const notAcceptable = (allowed: readonly string[]): StatusError =>
  new StatusError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${allowed.join(', ')}`, {})

export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  new StatusError(429, 'TooManyRequests', message, { retryAfterSeconds })

/** All causes become one 422, worded as the apiserver aggregates them. */
export function invalid(group: string, kind: string, name: string, causes: readonly StatusCause[]): StatusError {
  const lines = [...new Set(causes.map((c) => `${c.field ?? '<nil>'}: ${c.message}`))]
  const all = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`
  const of = group ? `${kind}.${group}` : kind
  return new StatusError(422, 'Invalid', `${of} "${name}" is invalid: ${all}`, {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    causes: [...causes],
  })
}
