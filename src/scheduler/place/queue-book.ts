// What each queue uses of what it may use.
import type { Amounts } from '../facts/amounts.ts'
import type { Hold, QueueFacts } from './snapshot.ts'

/** Pods that asked for no queue: nobody limits them, and nobody takes anything from them. */
export const NO_QUEUE: QueueFacts = {
  name: '',
  namespace: '',
  priority: 0,
  quota: new Map(),
  preemptible: false,
  closed: false,
}

export class QueueBook {
  readonly #used = new Map<string, Map<string, number>>()
  /** What the whole cluster has: the measure where a queue's quota has none. */
  readonly #cluster: Amounts

  constructor(cluster: Amounts) {
    this.#cluster = cluster
  }

  used(queue: string): Amounts {
    return this.#used.get(queue) ?? new Map()
  }

  take(queue: string, requests: Amounts): void {
    this.#change(queue, requests, 1)
  }

  give(queue: string, requests: Amounts): void {
    this.#change(queue, requests, -1)
  }

  /** The first resource of which the queue would use more than it may. */
  exceededBy(queue: QueueFacts, requests: Amounts): (Hold & { reason: 'QuotaExceeded' }) | undefined {
    for (const [resource, quota] of queue.quota) {
      const needs = requests.get(resource) ?? 0
      const used = this.#used.get(queue.name)?.get(resource) ?? 0
      // What asks for nothing of a resource is not to blame that there is too much use of it.
      if (needs > 0 && used + needs > quota)
        return { reason: 'QuotaExceeded', resource, needs, used, quota, ever: needs > quota }
    }
    return undefined
  }

  /** The largest part it uses of anything: of its own quota, where that says something. */
  dominantShare(queue: QueueFacts): number {
    let share = 0
    for (const [resource, used] of this.#used.get(queue.name) ?? []) {
      const all = queue.quota.get(resource) ?? (queue.quota.size > 0 ? undefined : this.#cluster.get(resource))
      if (all !== undefined && used > 0) share = Math.max(share, all > 0 ? used / all : Number.POSITIVE_INFINITY)
    }
    return share
  }

  #change(queue: string, requests: Amounts, sign: number): void {
    const used = this.#used.get(queue) ?? new Map<string, number>()
    this.#used.set(queue, used)
    for (const [resource, amount] of requests) used.set(resource, (used.get(resource) ?? 0) + sign * amount)
  }
}
