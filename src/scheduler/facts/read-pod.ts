// A pod as the placement sees it.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { DEFAULT_QUEUE } from '../../api/queue/queue-object.ts'
import { fromTimestamp } from '../../lib/time.ts'
import type { GroupFacts, PodFacts } from '../place/snapshot.ts'
import { limitsOf, requestsOf, undeclaredIn } from './amounts.ts'
import { GROUP_LABEL, LEADER_LABELS, QUEUE_LABEL, ROLE_LABEL, T9K_SCHEDULER } from './labels.ts'

export interface ReadPod {
  facts: PodFacts
  /** A pod that names no group is one by itself. */
  alone?: GroupFacts
}

/** The names a pod may ask for us by; T9k's scheduler is ours here. */
const OUR_NAMES = new Set([undefined, '', 'default-scheduler', T9K_SCHEDULER])

/** Undefined for a pod that neither holds anything nor waits for anything, nor counts as a member. */
export function readPod(pod: Pod, assumedNode: string | undefined, toldToLeave: boolean): ReadPod | undefined {
  const { uid = '', name = '', namespace = 'default', labels = {}, creationTimestamp } = pod.metadata ?? {}
  const node = pod.spec?.nodeName || assumedNode
  const state = stateOf(pod, node, toldToLeave)
  if (state === undefined) return undefined
  const queue = labels[QUEUE_LABEL] ?? (pod.spec?.schedulerName === T9K_SCHEDULER ? DEFAULT_QUEUE : undefined)
  const named = labels[GROUP_LABEL]
  const createdAt = fromTimestamp(creationTimestamp) ?? 0
  const requests = requestsOf(pod)
  const { nodeSelector = {}, tolerations } = pod.spec ?? {}
  const affinity = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const limits = limitsOf(pod)
  const facts: PodFacts = {
    uid,
    name,
    namespace,
    // A slash twice: no group can be called that.
    group: named === undefined ? `${namespace}/${name}/${uid}` : `${namespace}/${named}`,
    queue,
    role: labels[ROLE_LABEL] ?? '',
    ...(LEADER_LABELS.some((label) => labels[label] === 'master') && { leads: true }),
    requests,
    shape: shapeOf(requests, nodeSelector, affinity, tolerations),
    nodeSelector,
    ...(affinity && { affinity }),
    ...(tolerations && { tolerations }),
    ...(limits.size > 0 && { limits }),
    undeclared: undeclaredIn(pod),
    state,
    ...(node && { node }),
    createdAt,
    holder: pod.metadata?.ownerReferences?.find(({ controller }) => controller)?.name ?? name,
  }
  if (named !== undefined) return { facts }
  const priority = pod.spec?.priority ?? 0
  const alone = { key: facts.group, name, namespace, queue, priority, minMember: 1, roles: [], createdAt, whole: false }
  return { facts, alone }
}

function stateOf(pod: Pod, node: string | undefined, toldToLeave: boolean): PodFacts['state'] | undefined {
  const { phase } = pod.status ?? {}
  const goes = toldToLeave || pod.metadata?.deletionTimestamp !== undefined
  if (phase === 'Succeeded') return goes ? undefined : 'succeeded'
  if (phase === 'Failed') return undefined
  if (node !== undefined) return goes ? 'leaving' : 'placed'
  if (goes || !OUR_NAMES.has(pod.spec?.schedulerName) || pod.spec?.schedulingGates?.length) return undefined
  return 'waiting'
}

function shapeOf(requests: ReadonlyMap<string, number>, selector: object, ...others: unknown[]): string {
  const plain = Object.keys(selector).length === 0 && others.every((other) => other === undefined)
  const wishes = plain ? '' : JSON.stringify([Object.entries(selector).sort(), ...others])
  return `${[...requests].map(([name, amount]) => `${name}=${amount}`).sort()}${wishes}`
}
