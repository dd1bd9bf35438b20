import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzip } from 'node:zlib'
import { stringify } from 'yaml'
import { PageNotFound, StatusError } from '../status-error.ts'
import { StoreWriteError } from '../store/store.ts'

const GZIP_FROM = 128 * 1024

export interface Reply {
  code: number
  /** A value, or JSON text that is already written. */
  body: unknown
  text?: string
  yaml?: boolean
  warnings?: readonly string[]
  headers?: Record<string, string>
}

/** Sends a reply; long ones are compressed for those who can read that. */
export function sendReply(req: IncomingMessage, res: ServerResponse, reply: Reply): void {
  const json = reply.text ?? JSON.stringify(reply.body)
  const text = reply.yaml ? stringify(JSON.parse(json)) : json
  res.statusCode = reply.code
  res.setHeader('Content-Type', reply.yaml ? 'application/yaml' : 'application/json')
  res.setHeader('Cache-Control', 'no-cache, private')
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value)
  const warnings = [...new Set(reply.warnings ?? [])].map(warningHeader)
  if (warnings.length > 0) res.setHeader('Warning', warnings)
  const data = Buffer.from(text)
  if (data.length < GZIP_FROM || !/\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''))) {
    res.setHeader('Content-Length', data.length)
    res.end(data)
    return
  }
  gzip(data, { level: 1 }, (error, packed) => {
    if (!error) {
      res.setHeader('Content-Encoding', 'gzip')
      res.setHeader('Vary', 'Accept-Encoding')
    }
    const out = error ? data : packed
    res.setHeader('Content-Length', out.length)
    res.end(out)
  })
}

export function sendText(res: ServerResponse, text: string, code = 200): void {
  res.writeHead(code, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
  })
  res.end(text)
}

/** `299 - "text"`; only printable ASCII may stand in a header. */
function warningHeader(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?').slice(0, 2000)
  return `299 - "${plain.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`
}

/** Whatever went wrong, the client gets a Status; what it must not see goes to the log. */
export function toStatusError(error: unknown, log: (line: string) => void): StatusError {
  if (error instanceof StatusError) return error
  if (error instanceof StoreWriteError) {
    log(`write failed: ${String((error.cause as Error | undefined)?.message)}`)
    return new StatusError(
      500,
      'InternalError',
      'Internal error occurred: the write could not be stored; is the disk full?',
      {
        causes: [{ message: 'the write could not be stored; is the disk full?' }],
      },
    )
  }
  log(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return new StatusError(500, 'InternalError', 'Internal error occurred: see the log of the server')
}

export function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  error: StatusError,
  warnings: readonly string[] = [],
): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  if (error instanceof PageNotFound) {
    sendText(res, error.text, error.code)
    return
  }
  const retry = error.details?.retryAfterSeconds
  sendReply(req, res, {
    code: error.code,
    body: error.toStatus(),
    warnings,
    headers: {
      ...(retry ? { 'Retry-After': String(retry) } : {}),
      ...(error.code === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      // A body that was refused half-read must not be taken for the next request.
      ...(req.complete ? {} : { Connection: 'close' }),
    },
  })
}
