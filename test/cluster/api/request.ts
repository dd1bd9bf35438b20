// Plain HTTPS to the real apiserver: every answer with its warnings, nothing in between.
import { Agent, request as send } from 'node:https'
import type { Kind } from '../../../src/api/kinds.ts'
import { realCluster } from '../../real-cluster.ts'

export interface Answer {
  code: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers
  body: any
  warnings: string[]
}

const cluster = realCluster()
const agent = new Agent({ ca: cluster.ca, cert: cluster.cert, key: cluster.key, keepAlive: true })

export function request(
  method: string,
  path: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, cluster.url)
    const sent = send(
      url,
      { method, agent, headers: { 'content-type': contentType, accept: 'application/json' } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const warnings = [answer.headers.warning ?? []].flat().flatMap((line) => String(line).split(/,\s*(?=299 )/))
          resolve({ code: answer.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : text, warnings })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export async function mustRequest(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer> {
  const answer = await request(method, path, body, contentType)
  if (answer.code >= 300) throw new Error(`${method} ${path}: ${answer.code} ${answer.body.message ?? answer.body}`)
  return answer
}

/** The collection of a kind in a namespace, at the version an object says. */
export function collection(kind: Kind, apiVersion: string, namespace: string): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/${kind.plural}`
}
