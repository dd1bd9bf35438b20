// How long after a write is begun every watcher has heard of it.
import { setTimeout as delay } from 'node:timers/promises'
import { call, type Subject } from './subject.ts'

const MAPS = '/api/v1/namespaces/bench/configmaps'
const PACE_MS = 20

export interface FanOut {
  p50: number
  p99: number
  deliveries: number
}

export async function measureFanOut(
  subject: Subject,
  round: string,
  watchers: number,
  writes: number,
): Promise<FanOut> {
  const begun = new Map<string, number>()
  const latencies: number[] = []
  const all = Promise.withResolvers<void>()
  const hear = (name: string): void => {
    latencies.push(performance.now() - (begun.get(name) ?? Number.NaN))
    if (latencies.length === watchers * writes) all.resolve()
  }
  const { metadata } = JSON.parse(await call(subject, { method: 'GET', path: MAPS })) as {
    metadata: { resourceVersion: string }
  }
  const stopping = new AbortController()
  const watching = await Promise.all(
    Array.from({ length: watchers }, () => watch(subject, metadata.resourceVersion, hear, stopping.signal)),
  )
  for (let n = 0; n < writes; n++) {
    const name = `told-${round}-${n}`
    begun.set(name, performance.now())
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(500) } }
    await call(subject, { method: 'POST', path: MAPS, body })
    await delay(PACE_MS)
  }
  await all.promise
  stopping.abort()
  await Promise.allSettled(watching.map(({ ended }) => ended))
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number
  return { p50: at(0.5), p99: at(0.99), deliveries: sorted.length }
}

/** Resolves when the server has begun to answer. */
async function watch(
  subject: Subject,
  from: string,
  hear: (name: string) => void,
  signal: AbortSignal,
): Promise<{ ended: Promise<void> }> {
  const answer = await subject.agent.request({
    origin: subject.url,
    path: `${MAPS}?watch=true&resourceVersion=${from}`,
    method: 'GET',
    headers: subject.headers,
    bodyTimeout: 0,
    signal,
  })
  const read = async (): Promise<void> => {
    let rest = ''
    for await (const chunk of answer.body) {
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const name = /"name":"(told-[^"]*)"/.exec(line)?.[1]
        if (name) hear(name)
      }
    }
  }
  return { ended: read() }
}
