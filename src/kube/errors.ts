import type { Status } from '../../gen/kubernetes-types.ts'
import { isObject } from '../lib/json.ts'

/** The API answered, and the answer is no. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status: 404. */
  readonly code: number
  /** Kubernetes' word for it: NotFound, AlreadyExists, Conflict, Expired … */
  readonly reason: string
  readonly status: Status
  /** How long the server asked us to wait, in milliseconds. */
  readonly retryAfter: number | undefined

  constructor(status: Status, retryAfter?: number) {
    super(status.message || `the API answered ${status.code ?? 500}`)
    this.code = status.code ?? 500
    this.reason = status.reason ?? ''
    this.status = status
    this.retryAfter = retryAfter
  }
}

export type ConnectionProblem =
  /** Nobody there, or not reachable. */
  | 'unreachable'
  /** No answer, or no sign of life, in the time allowed. */
  | 'silent'
  /** The connection ended in the middle of an answer. */
  | 'cut'
  /** The server's certificate is not the one we trust. */
  | 'untrusted'
  /** What came is not what an API server says. */
  | 'garbled'

/** There was no answer, or not a whole one. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly problem: ConnectionProblem
  constructor(problem: ConnectionProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** A kubeconfig, token file or the like that cannot be used; the message is for the user. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Makes the error for an answer's body; what is no Status (a proxy's page, say) is summed up. */
export function errorOf(code: number, body: unknown, retryAfter?: number): ApiError {
  if (isObject(body) && body.kind === 'Status') return new ApiError({ code, ...body } as Status, retryAfter)
  const text = typeof body === 'string' ? body.trim().slice(0, 200) : ''
  return new ApiError({ code, reason: REASONS[code] ?? '', message: text || `the server answered ${code}` }, retryAfter)
}

const REASONS: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 404
export const isAlreadyExists = (error: unknown): boolean => hasReason(error, 'AlreadyExists')
/** The object has changed since it was read, or a precondition does not hold. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409 && error.reason !== 'AlreadyExists'
/** The version asked for is no longer kept: list again. */
export const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 410
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.code === 403
export const isInvalid = (error: unknown): boolean => error instanceof ApiError && error.code === 422

/** The namespace is going away, so nothing new can be put into it. */
export function isNamespaceEnding(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 403) return false
  return error.status.details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') ?? false
}

function hasReason(error: unknown, reason: string): boolean {
  return error instanceof ApiError && error.reason === reason
}
