// No node may run it, whatever is free there.
import type { Ground } from '../place/ground.ts'
import { repelledBy } from '../place/node-wishes.ts'
import type { NodeTaint, PodFacts, QueueFacts } from '../place/snapshot.ts'
import type { Explanation } from './explain-wait.ts'

export function explainNoNode(ground: Ground, pod: PodFacts, queue: QueueFacts): Explanation {
  const { nodes } = ground.now
  if (nodes.length === 0) return { reason: 'NoNode', message: 'no node is there yet' }
  const reason = 'NoMatchingNode'
  const tainted = nodes.filter(ground.suits(pod, queue))
  const [first] = tainted
  if (first) {
    const others = tainted.length === 1 ? '' : `, and so it is with ${tainted.length - 1} more`
    const taint = describeTaint(repelledBy(pod, first)!)
    return { reason, message: `does not tolerate the taint ${taint} of node ${first.name}${others}` }
  }
  const wishes = [
    ...(Object.keys(pod.nodeSelector).length > 0 ? ['its nodeSelector'] : []),
    ...(pod.affinity ? ['its node affinity'] : []),
    ...(queue.nodeSelector ? [`the nodeSelector of queue ${queue.name}`] : []),
  ]
  const none = nodes.length === 1 ? 'the only node' : `none of ${nodes.length} nodes`
  const verb =
    nodes.length === 1 ? ['does not match', 'or is not ready', 'is not ready'] : ['matches', 'and is ready', 'is ready']
  const message =
    wishes.length > 0 ? `${none} ${verb[0]} ${wishes.join(' and ')} ${verb[1]}` : `${none} ${verb[2]} for pods`
  return { reason, message }
}

/** `gpu=only:NoSchedule`. */
function describeTaint({ key, value, effect }: NodeTaint): string {
  return `${key}${value ? `=${value}` : ''}:${effect}`
}
