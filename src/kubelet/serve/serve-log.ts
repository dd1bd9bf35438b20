import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fromTimestamp, type Instant } from '../../lib/time.ts'
import { AccessError, type PodLogQuery } from '../pod-access.ts'
import { buildStatus, reasonOf } from './accept.ts'

/** Reads the query of the log subresource; a bad value is an AccessError. */
export function parseLogQuery(query: URLSearchParams, now: Instant): PodLogQuery {
  const sinceSeconds = readCount(query, 'sinceSeconds')
  const sinceTime = query.get('sinceTime')
  const bySeconds = sinceSeconds === undefined ? undefined : now - sinceSeconds * 1000
  const byTime = sinceTime === null ? undefined : fromTimestamp(sinceTime)
  if (sinceTime !== null && byTime === undefined)
    throw new AccessError(`sinceTime ${JSON.stringify(sinceTime)} is no time`, 400)
  return {
    container: query.get('container') || undefined,
    follow: readFlag(query, 'follow'),
    previous: readFlag(query, 'previous'),
    timestamps: readFlag(query, 'timestamps'),
    tailLines: readCount(query, 'tailLines'),
    limitBytes: readCount(query, 'limitBytes'),
    since: bySeconds ?? byTime,
  }
}

export async function sendLog(log: AsyncIterable<Buffer>, res: ServerResponse): Promise<void> {
  res.writeHead(200, { 'Content-Type': 'text/plain' })
  res.flushHeaders()
  // The reader may leave at any time.
  await pipeline(Readable.from(log, { objectMode: false }), res).catch(() => {})
}

export function sendAccessError(res: ServerResponse, { code, message }: AccessError): void {
  res.writeHead(code, { 'Content-Type': 'application/json' })
  res.end(JSON.stringify(buildStatus(code, reasonOf(code), message)))
}

function readFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value === 'true' || value === '1'
}

function readCount(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null || value === '') return undefined
  if (!/^\d{1,15}$/.test(value)) throw new AccessError(`${name} ${JSON.stringify(value)} is no number of its kind`, 400)
  return Number(value)
}
