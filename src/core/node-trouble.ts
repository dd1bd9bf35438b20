import type { Pod } from '../../gen/kubernetes-types.ts'
import type { NodeState } from './decision.ts'

export interface NodeTrouble {
  /** One word in CamelCase, for a condition. */
  reason: 'NodeGone' | 'NodeNotReady'
  message: string
}

/** What is wrong with the node a pod is on, in words. */
export function nodeTroubleOf(pod: Pod | undefined, nodes: ReadonlyMap<string, NodeState>): NodeTrouble | undefined {
  const node = pod?.spec?.nodeName
  if (!node) return undefined
  if (!nodes.has(node)) return { reason: 'NodeGone', message: `node ${node} is gone` }
  return nodes.get(node)?.ready === false ? { reason: 'NodeNotReady', message: `node ${node} is not ready` } : undefined
}
