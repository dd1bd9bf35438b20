import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../api.ts'
import type { Metrics } from '../metrics.ts'
import { answerVirtual, VIRTUAL } from '../resources/virtual.ts'
import { methodNotAllowed, tooManyRequests } from '../status-error.ts'
import { isOn } from '../verbs/list-options.ts'
import { type Exchange, readObjectBody, readWriteOptions } from './exchange.ts'
import { handlePath } from './handle-path.ts'
import { handleResource } from './handle-resource.ts'
import { parseTarget, type Target } from './request-target.ts'
import { type Reply, sendError, sendReply, toStatusError } from './respond.ts'

export interface Limits {
  openWatches: number
  inFlight: number
}

export const DEFAULT_LIMITS: Limits = { openWatches: 1000, inFlight: 400 }

export interface ListenerParts {
  api: Api
  metrics: Metrics
  guard: (req: IncomingMessage) => void
  limits: Limits
  log: (line: string) => void
}

/** Takes every request from the first check to the last byte. */
export function buildListener(parts: ListenerParts): (req: IncomingMessage, res: ServerResponse) => void {
  const { api, metrics, guard, limits, log } = parts
  let inFlight = 0
  return (req, res) => {
    const started = performance.now()
    let counted: 'watch' | 'call' | undefined
    res.once('close', () => {
      if (counted === 'watch') metrics.openWatches--
      else if (counted === 'call') inFlight--
      metrics.observe(
        counted === 'watch' ? 'WATCH' : (req.method ?? ''),
        res.statusCode,
        (performance.now() - started) / 1000,
      )
    })
    const admitOne = (target: Target): void => {
      const isWatch = target.kind === 'resource' && isOn(target.query, 'watch')
      if (isWatch ? metrics.openWatches >= limits.openWatches : inFlight >= limits.inFlight) {
        throw tooManyRequests('The server is busy: too many requests are open, please try again later.', 1)
      }
      counted = isWatch ? 'watch' : 'call'
      if (isWatch) metrics.openWatches++
      else inFlight++
    }
    const warnings: string[] = []
    serve(parts, { api, req, res, warnings }, guard, admitOne)
      .then(async (reply) => {
        // Whatever an answer tells, its own write or one it has read, is on disk before it is told.
        await api.store.committed()
        if (reply) sendReply(req, res, { ...reply, warnings })
      })
      .catch((error: unknown) => sendError(req, res, toStatusError(error, log), warnings))
  }
}

async function serve(
  { metrics }: ListenerParts,
  exchange: Omit<Exchange, 'target'>,
  guard: (req: IncomingMessage) => void,
  admitOne: (target: Target) => void,
): Promise<Reply | undefined> {
  const { req } = exchange
  guard(req)
  const target = parseTarget(req.url ?? '/')
  admitOne(target)
  if (target.kind === 'path') return handlePath(exchange, target, metrics)
  const virtual = VIRTUAL.find(
    (v) => v.group === target.group && v.version === target.version && v.plural === target.plural,
  )
  if (virtual && target.name === undefined) {
    if (req.method !== 'POST') throw methodNotAllowed()
    const body = await readObjectBody(req, virtual.kind)
    const options = readWriteOptions({ ...exchange, target }, body)
    const asker = { manager: options.manager, now: exchange.api.now(), warnings: options.warnings }
    return { code: 201, body: answerVirtual(virtual, body.value, asker), warnings: options.warnings }
  }
  return handleResource({ ...exchange, target })
}
