// Places pods on nodes: a node for each, and room for so many pods at a time as the script says.
import type { KubeObject } from '../api/types.ts'
import { GROUP_LABEL } from '../core/labels.ts'
import { toTimestamp } from '../lib/time.ts'
import { decidePlacement, type Gang, type WaitingPod } from './place-pods.ts'
import { hasEnded, scheduled, unschedulable } from './pod-status.ts'
import type { Change, SimulatedApi, SimulatedPod } from './simulated-api.ts'

const NO_ROOM = 'no room: the script lets no more pods be placed at a time'
const NO_GANG = 'no room for enough pods of the group at once'

export class SimulatedScheduler {
  readonly #api: SimulatedApi
  readonly #orderOf: (podName: string) => number
  readonly #waiting = new Map<string, WaitingPod>()
  /** Names of pods that hold a place. */
  readonly #placed = new Set<string>()
  #capacity = Number.POSITIVE_INFINITY
  #nodes = 0
  #changed = false

  constructor(api: SimulatedApi, orderOf: (podName: string) => number) {
    this.#api = api
    this.#orderOf = orderOf
    api.onChange((change) => this.#hear(change))
  }

  set capacity(pods: number) {
    this.#capacity = pods
    this.#changed = true
  }

  /** Something has changed since pods were last placed. */
  get hasWork(): boolean {
    return this.#changed && this.#waiting.size > 0
  }

  /** From now on the pod may be placed. */
  consider(pod: SimulatedPod): void {
    const name = pod.metadata.name!
    const group = pod.metadata.labels?.[GROUP_LABEL]
    this.#waiting.set(name, { name, order: this.#orderOf(name), ...(group && { group }) })
    this.#changed = true
  }

  /** Places what can be placed; tells which pods. */
  place(): string[] {
    if (!this.#changed) return []
    this.#changed = false
    const free = Math.max(0, this.#capacity - this.#placed.size)
    const placed = decidePlacement([...this.#waiting.values()], free, this.#gangs())
    const groups = new Set<string>()
    for (const { name, group } of placed) {
      this.#waiting.delete(name)
      this.#placed.add(name)
      if (group !== undefined) groups.add(group)
      const nodeName = `node-${++this.#nodes}`
      this.#api.nodes.set(nodeName, { ready: true, outOfService: false })
      this.#api.update('Pod', name, (pod: SimulatedPod) => ({
        ...pod,
        spec: { ...pod.spec, nodeName },
        status: scheduled(pod, this.#api.now),
      }))
    }
    for (const group of groups) this.#markScheduled(group)
    for (const { name, group } of this.#waiting.values()) this.#markUnschedulable(name, group ? NO_GANG : NO_ROOM)
    this.#changed = false
    return placed.map((pod) => pod.name)
  }

  #hear({ kind, before, after }: Change): void {
    if (kind === 'PodGroup') this.#changed = true
    if (kind !== 'Pod' || !before) return
    const name = before.metadata.name!
    if (after && !hasEnded(after)) return
    this.#waiting.delete(name)
    if (this.#placed.delete(name)) this.#changed = true
  }

  #gangs(): Map<string, Gang> {
    const gangs = new Map<string, Gang>()
    const groups = this.#api.list('PodGroup') as Array<KubeObject & PodGroup>
    if (groups.length === 0) return gangs
    for (const group of groups) {
      const started = group.status?.conditions?.some((condition) => condition.type === 'GroupScheduled') ?? false
      gangs.set(group.metadata.name!, { minMember: group.spec?.minMember ?? 1, placed: 0, started })
    }
    for (const pod of this.#api.list('Pod') as SimulatedPod[]) {
      const gang = gangs.get(pod.metadata.labels?.[GROUP_LABEL] ?? '')
      if (gang && pod.spec?.nodeName !== undefined) gang.placed++
    }
    return gangs
  }

  #markScheduled(group: string): void {
    const lastTransitionTime = toTimestamp(this.#api.now)
    const message = 'Resources have been allocated to PodGroup'
    const condition = {
      type: 'GroupScheduled',
      status: 'True',
      reason: 'PodGroupScheduled',
      message,
      lastTransitionTime,
    }
    const found = this.#api.get('PodGroup', group) as (KubeObject & PodGroup) | undefined
    if (found?.status?.conditions?.some(({ type }) => type === 'GroupScheduled')) return
    this.#api.update('PodGroup', group, (object) => ({ ...object, status: { conditions: [condition] } }))
  }

  #markUnschedulable(name: string, message: string): void {
    if (this.#api.pod(name)?.status?.conditions) return
    this.#api.update('Pod', name, (pod: SimulatedPod) => ({
      ...pod,
      status: unschedulable(pod, this.#api.now, message),
    }))
  }
}

interface PodGroup {
  spec?: { minMember?: number }
  status?: { conditions?: Array<{ type: string }> }
}
