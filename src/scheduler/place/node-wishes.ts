// Which nodes a pod may run on, room aside: its nodeSelector and required node affinity, and the taints it does not
// tolerate. By Kubernetes' rules; what is only preferred is not looked at.
import { holds } from '../facts/label-selector.ts'
import type { NodeFacts, NodeTaint, PodFacts } from './snapshot.ts'

/** Whether the node is one that the pod asks for. */
export function wishesFor({ nodeSelector, affinity }: PodFacts): (node: NodeFacts) => boolean {
  const wishes = Object.entries(nodeSelector)
  return (node) =>
    wishes.every(([key, value]) => node.labels[key] === value) &&
    (affinity === undefined || affinity.some((term) => matchesTerm(term, node)))
}

/** The first taint of the node that keeps the pod away. */
export function repelledBy({ tolerations = [] }: PodFacts, { taints = [] }: NodeFacts): NodeTaint | undefined {
  return taints.find((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)))
}

/** A term that asks for nothing matches nothing. */
function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NonNullable<PodFacts['affinity']>[number],
  node: NodeFacts,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false
  const fields = { 'metadata.name': node.name }
  return (
    matchExpressions.every((expression) => holds(expression, node.labels)) &&
    matchFields.every((expression) => holds(expression, fields))
  )
}

/** No key: every taint. No effect: every effect. */
function tolerates(
  { key, operator = 'Equal', value = '', effect }: NonNullable<PodFacts['tolerations']>[number],
  taint: NodeTaint,
): boolean {
  if (effect && effect !== taint.effect) return false
  if (key && key !== taint.key) return false
  if (operator === 'Exists') return true
  return operator === 'Equal' && Boolean(key) && value === (taint.value ?? '')
}
