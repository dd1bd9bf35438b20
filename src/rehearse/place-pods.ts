// Which of the waiting pods are placed now: as many as there is room for, in order, and of a gang either enough or none.

export interface WaitingPod {
  name: string
  /** Its turn among the job's pods. */
  order: number
  /** The gang it belongs to. */
  group?: string
}

export interface Gang {
  minMember: number
  /** Its pods that are placed or have ended. */
  placed: number
  /** It has had its first placement: pods that replace others need not wait for more than there are. */
  started: boolean
}

export function decidePlacement(
  waiting: readonly WaitingPod[],
  free: number,
  gangs: ReadonlyMap<string, Gang>,
): WaitingPod[] {
  const inOrder = [...waiting].sort((a, b) => a.order - b.order)
  const placed: WaitingPod[] = []
  const judged = new Map<string, boolean>()
  for (const pod of inOrder) {
    if (placed.length >= free) break
    if (pod.group !== undefined) {
      const members = judged.has(pod.group) ? [] : inOrder.filter((other) => other.group === pod.group)
      if (!judged.has(pod.group))
        judged.set(pod.group, fits(gangs.get(pod.group), members.length, free - placed.length))
      if (!judged.get(pod.group)) continue
    }
    placed.push(pod)
  }
  return placed
}

/** A gang whose PodGroup is not there yet waits for it. */
function fits(gang: Gang | undefined, waiting: number, free: number): boolean {
  if (!gang) return false
  const wanted = gang.started ? Math.min(gang.minMember, gang.placed + waiting) : gang.minMember
  return gang.placed + Math.min(waiting, free) >= wanted
}
