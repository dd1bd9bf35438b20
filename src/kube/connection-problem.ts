import { ApiError, ConfigError, ConnectionError, type ConnectionProblem } from './errors.ts'

const WORDS: Record<string, [ConnectionProblem, string]> = {
  ECONNREFUSED: ['unreachable', 'nothing listens there'],
  // The socket of a home that has ended.
  ENOENT: ['unreachable', 'nothing listens there'],
  ENOTFOUND: ['unreachable', 'the name is not known'],
  EAI_AGAIN: ['unreachable', 'names cannot be looked up'],
  EHOSTUNREACH: ['unreachable', 'there is no way to that host'],
  ENETUNREACH: ['unreachable', 'there is no way to that network'],
  UND_ERR_CONNECT_TIMEOUT: ['unreachable', 'no connection within 10 s'],
  UND_ERR_HEADERS_TIMEOUT: ['silent', 'it did not answer in time'],
  UND_ERR_BODY_TIMEOUT: ['silent', 'its answer stopped in the middle'],
  SILENT: ['silent', 'it did not answer in time'],
  SILENT_IN_THE_MIDDLE: ['silent', 'its answer stopped in the middle'],
  UND_ERR_SOCKET: ['cut', 'it closed the connection'],
  ECONNRESET: ['cut', 'it closed the connection'],
  EPIPE: ['cut', 'it closed the connection'],
}

const CERTIFICATE = /CERT|SIGNATURE|ERR_TLS|SELF_SIGNED|ISSUER/

/** Turns whatever the HTTP library threw into our own words; an abort stays what the caller made it. */
export function connectionErrorOf(error: unknown, server: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof ApiError || error instanceof ConnectionError || error instanceof ConfigError) return error
  const code = codeOf(error)
  const known = WORDS[code]
  if (known !== undefined) return new ConnectionError(known[0], `${server}: ${known[1]}`, { cause: error })
  if (CERTIFICATE.test(code)) {
    const message = `${server}: its certificate is not signed by the authority we know, or is for another name`
    return new ConnectionError('untrusted', message, { cause: error })
  }
  return new ConnectionError('cut', `${server}: the connection failed`, { cause: error })
}

/** The library wraps errors in each other; several addresses tried make an AggregateError. */
function codeOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    const code = (at as NodeJS.ErrnoException).code
    if (typeof code === 'string') return code
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return ''
}
