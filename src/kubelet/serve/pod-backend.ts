// What the API server asks the kubelet for: logs, commands, and connections to ports.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { jobOf } from '../home-directory.ts'
import type { Kubelet } from '../kubelet.ts'
import { listLogs } from '../logs/list-logs.ts'
import { readLog } from '../logs/read-log.ts'
import { findLocalPort } from '../peers/local-port.ts'
import type { PodWorker } from '../pod/pod-worker.ts'
import { AccessError, execInPod, openPodLog, type PodLogQuery } from '../pod-access.ts'
import { acceptSocket } from './accept.ts'
import { channelProtocol, forwardChannels } from './channel-forward.ts'
import { execProtocols, failWith, serveAttachment, serveExecution } from './serve-exec.ts'
import { parseLogQuery, sendAccessError, sendLog } from './serve-log.ts'
import { SpdyForward, spdyProtocol } from './spdy-forward.ts'

type Stream = (pod: Pod, query: URLSearchParams, req: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>

export interface PodBackend {
  log(pod: Pod, query: URLSearchParams, res: ServerResponse): Promise<void>
  exec: Stream
  attach: Stream
  portforward: Stream
}

export function buildPodBackend(kubelet: Kubelet): PodBackend {
  return {
    async log(pod, query, res) {
      try {
        const wanted = parseLogQuery(query, Date.now())
        await sendLog(findLog(kubelet, pod, wanted), res)
      } catch (error) {
        if (!(error instanceof AccessError)) throw error
        sendAccessError(res, error)
      }
    },

    exec: overChannels((socket, pod, query) => {
      const terminal = query.get('tty') === 'true'
      const container = query.get('container') || undefined
      const execution = execInPod(workerOf(kubelet, pod), container, query.getAll('command'), terminal)
      if (query.get('stdin') !== 'true') execution.stdin.end()
      return serveExecution(socket, execution)
    }),

    attach: overChannels((socket, pod, query) => {
      const worker = workerOf(kubelet, pod)
      const container = query.get('container') || undefined
      const leaving = new AbortController()
      const log = openPodLog(worker, { container, follow: true, tailLines: 0 }, leaving.signal)
      socket.on('close', () => leaving.abort())
      return serveAttachment(socket, log, () => exitCodeOf(worker, container))
    }),

    async portforward(pod, query, req, socket, head) {
      const localPort = (port: number) => findLocalPort(pod, kubelet.context.ports, port)
      const ports = query.getAll('ports').flatMap((each) => each.split(',').map(Number))
      const accepted = await acceptSocket(req, socket, head, [spdyProtocol, channelProtocol])
      if (accepted?.protocol === spdyProtocol) new SpdyForward(accepted, localPort)
      else if (accepted) forwardChannels(accepted, ports, localPort)
    },
  }
}

/** Problems are told over the socket: a client that is refused one tries an older protocol and reports only that. */
function overChannels(serve: (socket: WebSocket, pod: Pod, query: URLSearchParams) => Promise<void>): Stream {
  return async (pod, query, req, socket, head) => {
    const accepted = await acceptSocket(req, socket, head, execProtocols)
    if (!accepted) return
    try {
      await serve(accepted, pod, query)
    } catch (error) {
      if (!(error instanceof AccessError)) throw error
      await failWith(accepted, error.code, error.message)
    }
  }
}

/** The log of a pod that runs here; or the last one kept of it. */
function findLog(kubelet: Kubelet, pod: Pod, query: PodLogQuery): AsyncGenerator<Buffer> {
  const { name, uid = '' } = pod.metadata ?? {}
  const worker = kubelet.workerOf(uid)
  if (worker) return openPodLog(worker, query)
  const container = query.container ?? pod.spec?.containers[0]?.name
  const kept = listLogs(kubelet.context.home, jobOf(pod)).filter(
    (each) => each.uid === uid && each.container === container,
  )
  const last = kept.sort((a, b) => a.run - b.run).at(query.previous ? -2 : -1)
  if (last) return readLog(last.path, query, () => true)
  throw new AccessError(
    `container ${JSON.stringify(container)} in pod ${JSON.stringify(name)} is waiting to start: ContainerCreating`,
    400,
  )
}

function workerOf(kubelet: Kubelet, pod: Pod): PodWorker {
  const { name, uid = '' } = pod.metadata ?? {}
  const worker = kubelet.workerOf(uid)
  if (!worker) throw new AccessError(`pod ${name} does not run on this machine`, 400)
  return worker
}

function exitCodeOf(worker: PodWorker, name: string | undefined): number {
  const container = worker.containers.find(({ spec, role }) =>
    name === undefined ? role === 'main' : spec.name === name,
  )
  return container?.view?.kind === 'ended' ? container.view.end.exitCode : 0
}
