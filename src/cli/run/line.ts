// The line to the API while a job is followed. A home that was started again is at another address.
import type { KubeClient } from '../../kube/index.ts'
import { type Cluster, connectHome } from '../home/connect.ts'
import { findHome } from '../home/home-state.ts'

export interface Line {
  /** Always the connection that holds now. */
  client: Pick<KubeClient, 'list' | 'watch' | 'get' | 'logs'>
  /** Who is at the other end. */
  who: string
  /** What may help when nobody answers. */
  advice?: string
  /** Whether there is a new address to try. */
  reconnect(): Promise<boolean>
}

/** `home`: the directory of the home, where the job runs on this machine. */
export function openLine(cluster: Cluster, home: string | undefined): Line {
  const client: Line['client'] = {
    list: (resource, options) => cluster.client.list(resource, options),
    watch: (resource, options) => cluster.client.watch(resource, options),
    get: (resource, at, signal) => cluster.client.get(resource, at, signal),
    logs: (at, options) => cluster.client.logs(at, options),
  }
  if (home === undefined) return { client, who: cluster.context ?? 'the cluster', reconnect: async () => false }
  return {
    client,
    who: 'the home',
    advice: 'if it has ended, start it again  trainyard up',
    async reconnect() {
      const state = findHome(home)
      const before = cluster.client
      if (!state || state.url === before.connection.server) return false
      cluster.client = await connectHome(state, cluster.namespace)
      await before.close()
      return true
    },
  }
}
