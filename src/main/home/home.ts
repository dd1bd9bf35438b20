// One machine as a cluster: API server, operator, scheduler and kubelet in one process. They meet over HTTP like any
// clients, so nothing here would be different with a cluster's API server in between.
import { join } from 'node:path'
import { buildCrd } from '../../api/build-crd.ts'
import { kinds } from '../../api/kinds.ts'
import type { HomePlan } from '../../cli/home/home-plan.ts'
import { makeDirectory } from '../../cli/home/make-directory.ts'
import { fixedToken, KubeClient } from '../../kube/index.ts'
import { KubePods } from '../../kubelet/kube-pods.ts'
import { Kubelet } from '../../kubelet/kubelet.ts'
import { readMachine } from '../../kubelet/node.ts'
import { buildPodBackend } from '../../kubelet/serve/pod-backend.ts'
import { startOperator } from '../../operator/operator.ts'
import { startScheduler } from '../../scheduler/scheduler.ts'
import type { PodBackend } from '../../server/api.ts'
import { startServer } from '../../server/server.ts'
import { createFirstQueue } from './first-queue.ts'
import { forgetDeletedJobs } from './forget-jobs.ts'
import { answerKeptLogs } from './kept-logs.ts'
import { registerNodes } from './nodes.ts'

export interface HomeOptions {
  dir: string
  port?: number
  /** One node that has what the machine has, unless said otherwise. */
  plan?: Partial<HomePlan>
  log: (line: string) => void
}

/** The server works on one request at a time anyway, and each connection has to be opened first. */
const CONNECTIONS = 4
/** What happens to a job that has just been created happens within it; to write about it would take from its time. */
const EVENTS_REST = 250

export interface Home {
  url: string
  socketPath: string | undefined
  kubeconfigPath: string
  stop(): Promise<void>
}

export async function startHome({ dir, port, plan = {}, log }: HomeOptions): Promise<Home> {
  makeHomeDirectory(dir)
  const onError = (where: string, error: unknown): void =>
    log(`${where}: ${error instanceof Error ? error.message : error}`)
  const server = await startServer({ dir: join(dir, 'server'), definitions: kinds.map(buildCrd), port, log }).catch(
    (error) => {
      throw taken(error, port)
    },
  )
  const stops: Array<() => Promise<void>> = [() => server.stop()]
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    const { url, socketPath, kubeconfigPath, ca, token } = server
    const client = new KubeClient(
      { server: url, socket: socketPath, namespace: 'default', tls: { ca }, token: fixedToken(token) },
      { concurrency: CONNECTIONS },
    )
    stops.push(() => client.close())
    await createFirstQueue(client)
    const nodeNames = await registerNodes(client, readMachine(dir), plan)

    const pods = new KubePods({ client, nodeNames, eventsRest: EVENTS_REST, onError })
    const processLimit = plan.podPidsLimit
    const kubelet = new Kubelet({ directory: dir, source: pods, sink: pods, objects: pods, onError, processLimit })
    stops.push(async () => {
      await kubelet.close()
      await pods.close()
    })
    // The server hands out any object of its pods resource, and does not know that its type is Pod.
    const podBackend = buildPodBackend(kubelet) as object as PodBackend
    server.setPodBackend({ ...podBackend, keptLogs: answerKeptLogs(kubelet) })
    const scheduler = startScheduler({ client, openWithoutSelector: !plan.strictQueues, onError })
    stops.push(() => scheduler.stop())
    const operator = startOperator({
      client,
      gangScheduler: 't9k',
      clocksApart: 0,
      eventsRest: EVENTS_REST,
      onError,
    })
    stops.push(() => operator.stop())
    const forgetting = forgetDeletedJobs(client, kubelet, onError)
    stops.push(() => forgetting.stop())
    await Promise.all([scheduler.ready, operator.ready])
    return { url, socketPath, kubeconfigPath, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Only a port that somebody asked for can be in use. */
function taken(error: NodeJS.ErrnoException, port: number | undefined): Error {
  return error.code === 'EADDRINUSE' ? new Error(`port ${port} is in use on this machine; choose another`) : error
}

function makeHomeDirectory(dir: string): void {
  try {
    makeDirectory(dir)
  } catch (error) {
    throw new Error(`cannot keep a home in ${dir} (${(error as NodeJS.ErrnoException).code})`)
  }
}
