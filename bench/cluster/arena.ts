// The cluster the race is run on: a control plane of its own for each contender, with nodes that are only played.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parse } from 'yaml'
import { type ControlPlane, startControlPlane, type User } from '../../scripts/real/control-plane.ts'
import { findFreePorts } from '../../scripts/real/free-ports.ts'
import { mustRun } from '../../scripts/run-program.ts'
import { CRDS, KubeClient, type KubeObject, loadConnection, NAMESPACES } from '../../src/kube/index.ts'

export const NAMESPACE = 'race'
/** The contender, to the API: what is asked in this name is counted. */
export const OPERATOR = 'race-operator'

export interface Arena {
  plane: ControlPlane
  /** The administrator's. */
  client: KubeClient
  operator: User
  ports: { health: number; metrics: number; webhook: number }
  kubectl(args: readonly string[], input?: string): Promise<string>
  /** Gives the contender the rights of a ClusterRole. */
  grant(clusterRole: string): Promise<void>
  close(): Promise<void>
}

export async function openArena(nodes: number): Promise<Arena> {
  const plane = await startControlPlane({
    parts: ['kube-controller-manager', 'kube-scheduler'],
    playedNodes: nodes,
    audit: true,
  })
  try {
    const client = new KubeClient(await loadConnection({ kubeconfig: plane.kubeconfig }))
    const kubectl = (args: readonly string[], input?: string): Promise<string> =>
      mustRun(plane.kubectl, ['--kubeconfig', plane.kubeconfig, ...args], { input })
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
    // Pods are refused until their namespace has it.
    const account = ['-n', NAMESPACE, 'get', 'serviceaccount', 'default', '--ignore-not-found', '-o', 'name']
    while (!(await kubectl(account))) await delay(200)
    const [health = 0, metrics = 0, webhook = 0] = await findFreePorts(3)
    return {
      plane,
      client,
      operator: await plane.issueUser(OPERATOR),
      ports: { health, metrics, webhook },
      kubectl,
      grant: async (role) =>
        void (await kubectl(['create', 'clusterrolebinding', OPERATOR, `--clusterrole=${role}`, `--user=${OPERATOR}`])),
      close: async () => {
        await client.close()
        await plane.stop()
      },
    }
  } catch (error) {
    await plane.stop()
    throw error
  }
}

/** Definitions, and the wait until they are served; `kubectl wait` gives up on one that has no conditions yet. */
export async function define(arena: Arena, files: readonly string[]): Promise<void> {
  await arena.kubectl(['apply', '--server-side', ...files.flatMap((file) => ['-f', file])])
  for (const file of files) {
    const { metadata } = parse(readFileSync(file, 'utf8')) as KubeObject
    while (!(await isServed(arena.client, metadata.name ?? ''))) await delay(100)
  }
}

async function isServed(client: KubeClient, name: string): Promise<boolean> {
  const { status } = await client.get(CRDS, { name })
  return status?.conditions?.some((each) => each.type === 'Established' && each.status === 'True') ?? false
}
