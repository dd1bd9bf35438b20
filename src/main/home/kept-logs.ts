// Logs of a job by attempt, also of pods that are gone: the API of Kubernetes only knows those that are there.

import { statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Kubelet } from '../../kubelet/kubelet.ts'
import { type KeptLog, listLogs } from '../../kubelet/logs/list-logs.ts'
import { readLog } from '../../kubelet/logs/read-log.ts'
import { AccessError, openPodLog } from '../../kubelet/pod-access.ts'
import { parseLogQuery, sendAccessError, sendLog } from '../../kubelet/serve/serve-log.ts'
import { toTimestamp } from '../../lib/time.ts'

export function answerKeptLogs(kubelet: Kubelet) {
  return async (
    namespace: string,
    [job = '', pod, container, ...more]: readonly string[],
    query: URLSearchParams,
    res: ServerResponse,
  ): Promise<void> => {
    const kept = listLogs(kubelet.context.home, job).filter((log) => log.namespace === namespace)
    try {
      if (pod === undefined) sendList(res, kept)
      else {
        const run = Number(query.get('run') ?? '1')
        const log = kept.find((each) => each.uid === pod && each.container === container && each.run === run)
        if (!log || more.length > 0) throw new AccessError('there is no such log', 404)
        await sendLog(openLog(kubelet, log, query), res)
      }
    } catch (error) {
      if (!(error instanceof AccessError)) throw error
      sendAccessError(res, error)
    }
  }
}

function sendList(res: ServerResponse, kept: readonly KeptLog[]): void {
  const logs = kept.map(({ pod, uid, attempt, container, run, createdAt, path, times }) => {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    const ended = times && { startedAt: toTimestamp(times.startedAt), finishedAt: toTimestamp(times.finishedAt) }
    return { pod, uid, attempt, container, run, bytes, createdAt: toTimestamp(createdAt), ...ended }
  })
  res.writeHead(200, { 'Content-Type': 'application/json' })
  res.end(JSON.stringify({ logs }))
}

function openLog(kubelet: Kubelet, log: KeptLog, query: URLSearchParams): AsyncGenerator<Buffer> {
  const wanted = { ...parseLogQuery(query, Date.now()), container: log.container, previous: false }
  const worker = kubelet.workerOf(log.uid)
  const runs = worker?.containers.find(({ spec }) => spec.name === log.container)?.runs.length
  // Of an earlier run, or of a pod that is gone, there is nothing more to come.
  return worker && runs === log.run ? openPodLog(worker, wanted) : readLog(log.path, wanted, () => true)
}
