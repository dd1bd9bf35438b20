import { type Agent, request } from 'node:https'
import { isByTheClock } from './ignored.ts'

/** A server to send cases to. */
export interface Endpoint {
  url: string
  ca: string
  cert?: string
  key?: string
  token?: string
  /** Keeps connections open; a new one for each request if left out. */
  agent?: Agent
}

export interface Answer {
  code: number
  warnings: string[]
  retryAfter?: string
  body: unknown
}

export interface Request {
  method: string
  path: string
  body?: unknown
  headers: Record<string, string>
  /** Take so many events and hang up. */
  events?: number | undefined
  /** Called once so many of them have come; nought: once the stream is open. */
  opened?: { events: number; go: () => void } | undefined
}

const TIMEOUT = 60_000

export function send(endpoint: Endpoint, sent: Request): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const raw = sent.body === undefined || typeof sent.body === 'string' || Buffer.isBuffer(sent.body)
  const body = raw ? (sent.body as string | Buffer | undefined) : JSON.stringify(sent.body)
  const headers = {
    ...(endpoint.token ? { authorization: `Bearer ${endpoint.token}` } : {}),
    'user-agent': 'parity/1',
    // Node frames the body of a DELETE only when told its length.
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...sent.headers,
  }
  const { ca, cert, key } = endpoint
  const req = request(
    endpoint.url + sent.path,
    { method: sent.method, ca, ...(cert ? { cert, key } : {}), headers, agent: endpoint.agent ?? false },
    (res) => {
      const answer = (value: unknown): Answer => ({
        code: res.statusCode ?? 0,
        warnings: [res.headers.warning ?? []].flat().flatMap((text) => text.split(/, (?=299 )/)),
        ...(res.headers['retry-after'] ? { retryAfter: res.headers['retry-after'] } : {}),
        body: value,
      })
      let text = ''
      let opened = res.statusCode === 200 ? sent.opened : undefined
      const tellOpened = (events: number): void => {
        if (!opened || events < opened.events) return
        const { go } = opened
        opened = undefined
        go()
      }
      tellOpened(0)
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => {
        text += chunk
        const lines = text
          .split('\n')
          .slice(0, -1)
          .filter((line) => !isByTheClock(line))
        tellOpened(lines.length)
        if (sent.events === undefined || res.statusCode !== 200 || lines.length < sent.events) return
        resolve(answer(lines.slice(0, sent.events).map((line) => JSON.parse(line))))
        req.destroy()
      })
      res.on('end', () => {
        if (sent.events !== undefined && res.statusCode === 200)
          resolve(
            answer(
              text
                .split('\n')
                .filter((line) => line !== '' && !isByTheClock(line))
                .map((line) => JSON.parse(line)),
            ),
          )
        else resolve(answer(parse(text)))
      })
    },
  )
  req.setTimeout(TIMEOUT, () => req.destroy(new Error(`no answer to ${sent.method} ${sent.path} within ${TIMEOUT} ms`)))
  req.on('error', reject)
  req.end(body)
  return promise
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
