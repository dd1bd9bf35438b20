// Answers the API's questions about running pods from the kubelet.
import type { ServerResponse } from 'node:http'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { Kubelet } from '../../kubelet/kubelet.ts'
import { AccessError, openPodLog, type PodLogQuery } from '../../kubelet/pod-access.ts'
import { fromTimestamp } from '../../lib/time.ts'

export function answerLogs(kubelet: Kubelet) {
  return async (pod: unknown, query: URLSearchParams, response: ServerResponse): Promise<void> => {
    const { metadata } = pod as Pod
    const worker = kubelet.workerOf(metadata?.uid ?? '')
    if (!worker) throw new AccessError(`pod ${metadata?.name} has no log here`, 404)
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    const log = openPodLog(worker, readQuery(query), closed.signal)
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    response.flushHeaders()
    for await (const chunk of log) {
      if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
    }
    response.end()
  }
}

function readQuery(query: URLSearchParams): PodLogQuery {
  const text = (name: string): string | undefined => query.get(name) ?? undefined
  const number = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined)
  const flag = (name: string): boolean => query.get(name) === 'true' || query.get(name) === '1'
  const ago = number('sinceSeconds')
  return {
    container: text('container'),
    previous: flag('previous'),
    follow: flag('follow'),
    timestamps: flag('timestamps'),
    tailLines: number('tailLines'),
    limitBytes: number('limitBytes'),
    since: ago === undefined ? fromTimestamp(text('sinceTime')) : Date.now() - ago * 1000,
  }
}
