// Whom a command talks to: the home of this machine, unless a context says otherwise.
import { KubeClient, loadConnection } from '../../kube/index.ts'
import type { CommandContext } from '../context.ts'
import { findHome, type HomeState, homeDirectory, shortPath } from './home-state.ts'
import { HomeError, type Started } from './start-home.ts'

export interface ClusterOptions {
  context?: string
  kubeconfig?: string
  namespace?: string
}

export interface Cluster {
  client: KubeClient
  namespace: string
  /** Absent: the home of this machine. */
  context?: string
}

/** The cluster of a context, or the home, which may be `starting` just now. */
export async function connect(
  { terminal, err }: CommandContext,
  { context, kubeconfig, namespace }: ClusterOptions,
  starting?: Promise<Started>,
): Promise<Cluster> {
  if (context !== undefined || kubeconfig !== undefined) {
    const connection = await loadConnection({ context, kubeconfig, namespace })
    return { client: new KubeClient(connection), namespace: connection.namespace, context: connection.context }
  }
  const dir = homeDirectory(terminal.env)
  const where = shortPath(dir, terminal.env)
  const state = findHome(dir)
  const started = starting ? await starting : state && { state, took: undefined }
  if (!started) throw new HomeError(`no home is running in ${where}`, 'start it  trainyard up')
  if (started.took !== undefined) {
    const seconds = (started.took / 1000).toFixed(1)
    if (terminal.errIsTerminal) {
      terminal.err(`${err.paint('dim', 'home')}     ready in ${seconds} s   ${where}, stop it with: trainyard down\n`)
    } else terminal.err(`trainyard: home ready in ${seconds} s (${where})\n`)
  }
  const client = await connectHome(started.state, namespace)
  return { client, namespace: client.connection.namespace }
}

export async function connectHome({ kubeconfig, socket }: HomeState, namespace?: string): Promise<KubeClient> {
  return new KubeClient({ ...(await loadConnection({ kubeconfig, namespace })), socket })
}
