// Whom a command talks to: the home of this machine, unless a context says otherwise.
import { KubeClient, loadConnection } from '../../kube/index.ts'
import type { CommandContext } from '../context.ts'
import { findHome, homeDirectory, shortPath } from './home-state.ts'
import { ensureHome, HomeError, type Launcher } from './start-home.ts'

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

/** The cluster of a context, or the home; a home that does not run is started only where `launcher` is given. */
export async function connect(
  { terminal, err }: CommandContext,
  { context, kubeconfig, namespace }: ClusterOptions,
  launcher?: Launcher,
): Promise<Cluster> {
  if (context !== undefined || kubeconfig !== undefined) {
    const connection = await loadConnection({ context, kubeconfig, namespace })
    return { client: new KubeClient(connection), namespace: connection.namespace, context: connection.context }
  }
  const dir = homeDirectory(terminal.env)
  const where = shortPath(dir, terminal.env)
  const waiting = (): void => terminal.err(`trainyard: starting the home (${where}) …\n`)
  const started = launcher
    ? await ensureHome(dir, launcher, waiting)
    : findHome(dir) && { state: findHome(dir)!, took: undefined }
  if (!started) throw new HomeError(`no home is running in ${where}`, 'start it  trainyard up')
  if (started.took !== undefined) {
    const seconds = (started.took / 1000).toFixed(1)
    if (terminal.errIsTerminal) {
      terminal.err(`${err.paint('dim', 'home')}     ready in ${seconds} s   ${where}, stop it with: trainyard down\n`)
    } else terminal.err(`trainyard: home ready in ${seconds} s (${where})\n`)
  }
  const connection = await loadConnection({ kubeconfig: started.state.kubeconfig, namespace })
  return { client: new KubeClient(connection), namespace: connection.namespace }
}
