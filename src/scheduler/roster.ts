// Who counts in the next look. Pods are read when they change, not when somebody looks, and what has ended is put aside:
// a look costs as much as is waiting and running, however much there has been before.
import type { ReadPod } from './facts/read-pod.ts'
import type { GroupFacts, PodFacts } from './place/snapshot.ts'

export class Roster {
  readonly #live = new Map<string, ReadPod>()
  /** By group and uid: they count as members as long as others of their group are there. */
  readonly #succeeded = new Map<string, Map<string, ReadPod>>()
  readonly #liveIn = new Map<string, number>()
  /** Under which group a pod that has succeeded is filed. */
  readonly #filed = new Map<string, string>()

  /** Undefined: a pod that does not count. */
  enter(uid: string, read: ReadPod | undefined): void {
    this.leave(uid)
    if (read === undefined) return
    const { group, state } = read.facts
    if (state === 'succeeded') {
      const others = this.#succeeded.get(group) ?? new Map<string, ReadPod>()
      this.#succeeded.set(group, others.set(uid, read))
      this.#filed.set(uid, group)
      return
    }
    this.#live.set(uid, read)
    this.#liveIn.set(group, (this.#liveIn.get(group) ?? 0) + 1)
  }

  leave(uid: string): void {
    const read = this.#live.get(uid)
    if (read) {
      const { group } = read.facts
      const left = this.#liveIn.get(group)! - 1
      this.#live.delete(uid)
      if (left > 0) this.#liveIn.set(group, left)
      else this.#liveIn.delete(group)
    }
    const group = this.#filed.get(uid)
    if (group === undefined) return
    const others = this.#succeeded.get(group)!
    this.#filed.delete(uid)
    others.delete(uid)
    if (others.size === 0) this.#succeeded.delete(group)
  }

  /** All that has to be looked at; `alone`: the groups of those who are one by themselves. */
  read(): { pods: PodFacts[]; alone: GroupFacts[]; groups: Iterable<string> } {
    const pods: PodFacts[] = []
    const alone: GroupFacts[] = []
    for (const { facts, alone: own } of this.#live.values()) {
      pods.push(facts)
      if (own) alone.push(own)
    }
    for (const group of this.#liveIn.keys()) {
      for (const { facts } of this.#succeeded.get(group)?.values() ?? []) pods.push(facts)
    }
    return { pods, alone, groups: this.#liveIn.keys() }
  }
}
