// The nodes of a home: this machine as it is, or as many as it is to play. All their pods run here.
import type { HomePlan } from '../../cli/home/home-plan.ts'
import { isNotFound, type KubeClient, NODES } from '../../kube/index.ts'
import { buildNode, type MachineFacts, registerNode } from '../../kubelet/node.ts'

const ONLY_NODE = 'this-machine'
/** On the nodes of the home, so that it finds those again that it no longer plays. */
const OWN = 'trainyard.dev/home'

export async function registerNodes(
  client: KubeClient,
  machine: MachineFacts,
  { nodes: count = 1, capacity }: Partial<HomePlan>,
): Promise<[string, ...string[]]> {
  const names = nodeNames(count)
  const known = (await client.list(NODES)).items.filter(isOwn).map(({ metadata }) => metadata.name ?? '')
  for (const name of known.filter((each) => !names.includes(each))) {
    await client.delete(NODES, { name }).catch((error) => {
      if (!isNotFound(error)) throw error
    })
  }
  for (const name of names) {
    const node = buildNode(name, { ...machine, declared: capacity }, Date.now())
    const labels = { ...node.metadata.labels, [OWN]: 'node', ...(count > 1 && { 'kubernetes.io/hostname': name }) }
    await registerNode(client, { ...node, metadata: { ...node.metadata, labels } })
  }
  return names
}

function nodeNames(count: number): [string, ...string[]] {
  if (count === 1) return [ONLY_NODE]
  const digits = String(count).length
  return Array.from({ length: count }, (_, i) => `node-${String(i + 1).padStart(digits, '0')}`) as [string, ...string[]]
}

function isOwn({ metadata }: { metadata: { name?: string; labels?: Record<string, string> } }): boolean {
  return metadata.name === ONLY_NODE || metadata.labels?.[OWN] === 'node'
}
