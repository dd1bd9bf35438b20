// Stands between an operator and the apiserver and is as bad as networks and servers are, at an appointed rate.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request as send } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Authority } from '../../scripts/real/certificates.ts'
import type { Connection } from '../../src/kube/index.ts'
import { type Fault, FaultPlan, kindOf } from './fault-plan.ts'
import { RevisionHistory } from './revision-history.ts'

const CUT_AFTER_MS = 200
const LATENCY_MS = 1_500
/** How old a stale read is at least. */
export const STALE_MS = 5_000
/** A stale watch is ended in good order after this long, so that there are more of them. */
const STALE_WATCH_MS = 500

export class ChaosProxy {
  readonly plan = new FaultPlan()
  readonly kubeconfig: string
  readonly #dir: string
  readonly #server: ReturnType<typeof createServer>
  readonly #target: URL
  readonly #agent: Agent
  readonly #history: RevisionHistory
  readonly #watches = new Set<ServerResponse>()

  /** Speaks to the apiserver as whom `upstream` says. */
  static async open(upstream: Connection): Promise<ChaosProxy> {
    const dir = mkdtempSync(join(tmpdir(), 'trainyard-chaos-'))
    const authority = new Authority(dir)
    await authority.create()
    const { cert, key } = await authority.issue('proxy', { name: 'proxy', servesAs: ['IP:127.0.0.1'] })
    const server = createServer({ cert, key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ChaosProxy(dir, authority.cert, server, upstream)
  }

  private constructor(
    dir: string,
    ca: string,
    server: ReturnType<typeof createServer>,
    { server: url, tls }: Connection,
  ) {
    this.#dir = dir
    this.#server = server
    this.#target = new URL(url)
    this.#agent = new Agent({ ca: tls.ca, cert: tls.cert, key: tls.key, keepAlive: true })
    this.#history = new RevisionHistory(this.#target, this.#agent)
    server.on('request', (asked, answer) => void this.#handle(asked, answer).catch(() => answer.destroy()))
    const port = (server.address() as AddressInfo).port
    const cluster = {
      server: `https://127.0.0.1:${port}`,
      'certificate-authority-data': Buffer.from(ca).toString('base64'),
    }
    this.kubeconfig = join(dir, 'kubeconfig')
    const text = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'chaos', cluster }],
      users: [{ name: 'chaos', user: {} }],
      contexts: [{ name: 'chaos', context: { cluster: 'chaos', user: 'chaos' } }],
      'current-context': 'chaos',
    }
    writeFileSync(this.kubeconfig, JSON.stringify(text))
  }

  /** Bad times begin with the end of all watches: those from good times would outlast them. */
  turn(bad: boolean): void {
    this.plan.turn(bad)
    if (bad) for (const watch of this.#watches) watch.destroy()
  }

  async close(): Promise<void> {
    this.#history.stop()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    this.#agent.destroy()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async #handle(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk as Buffer)
    const url = new URL(asked.url ?? '/', this.#target)
    const kind = kindOf(asked.method ?? 'GET', url)
    const old = this.#history.before(STALE_MS)
    const fault = this.plan.next(kind, old !== undefined)
    const isWatch = kind === 'watch'
    if (isWatch) {
      this.#watches.add(answer)
      answer.on('close', () => this.#watches.delete(answer))
    }
    if (fault === 'latency') await delay(LATENCY_MS)
    if (fault === 'reset' && this.plan.countOf('reset') % 2 === 0) return void answer.destroy()
    if (fault === '429' || fault === '500' || fault === '503') return refuse(answer, Number(fault))
    if (fault === 'stale read' && !isWatch) {
      url.searchParams.set('resourceVersion', old!)
      url.searchParams.set('resourceVersionMatch', 'Exact')
    }
    await this.#forward(asked, url, Buffer.concat(chunks), answer, fault, isWatch)
  }

  #forward(
    asked: IncomingMessage,
    url: URL,
    body: Buffer,
    answer: ServerResponse,
    fault: Fault | undefined,
    isWatch: boolean,
  ): Promise<void> {
    const { host: _, authorization: __, connection: ___, ...headers } = asked.headers
    return new Promise((resolve, reject) => {
      const sent = send(
        url,
        { method: asked.method, headers, agent: isWatch ? this.#lonely() : this.#agent },
        (got) => {
          got.on('error', reject)
          // It was done, and nobody hears of it.
          if (fault === 'reset') return void got.resume().on('end', () => answer.destroy())
          answer.writeHead(got.statusCode ?? 502, got.headers)
          answer.flushHeaders()
          const held = fault === 'stale read' && isWatch ? STALE_MS : 0
          got.on('data', (chunk: Buffer) => setTimeout(() => answer.write(chunk), held))
          got.on('end', () => setTimeout(() => answer.end(), held))
          if (fault === 'cut watch') setTimeout(() => cut(answer), CUT_AFTER_MS)
          if (held) setTimeout(() => sent.destroy(), STALE_WATCH_MS).unref()
        },
      )
      sent.on('error', (error) => {
        if (fault === 'stale read') setTimeout(() => answer.end(), STALE_MS)
        else reject(error)
      })
      answer.on('close', () => {
        if (isWatch) sent.destroy()
        resolve()
      })
      sent.end(body)
    })
  }

  /** Watches end by breaking their connection, which must not be anybody else's. */
  #lonely(): Agent {
    return new Agent({ ...this.#agent.options, keepAlive: false })
  }
}

/** In the middle of a line, as it happens. */
function cut(answer: ServerResponse): void {
  if (answer.writableEnded) return
  answer.write('{"type":"MODIFIED","object":{"metadata":{"na', () => answer.destroy())
}

function refuse(answer: ServerResponse, code: number): void {
  const reason = { 429: 'TooManyRequests', 500: 'InternalError', 503: 'ServiceUnavailable' }[code]
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code, message: `${reason}, for a test` }
  answer.writeHead(code, { 'content-type': 'application/json', ...(code === 429 && { 'retry-after': '1' }) })
  answer.end(JSON.stringify(body))
}
