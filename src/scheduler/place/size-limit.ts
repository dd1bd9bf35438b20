// Whether a pod is larger than its queue's resource shapes allow. T9k refuses such a workload when it is made; here it is
// not let in, and says so.
import type { Gang } from './roll.ts'
import type { Hold, PodFacts, QueueFacts } from './snapshot.ts'

type TooLarge = Hold & { reason: 'ShapeExceeded' }

export function sizeHold({ waiting }: Gang, { shapes }: QueueFacts): TooLarge | undefined {
  if (shapes === undefined) return undefined
  for (const shape of shapes.rules) {
    for (const pod of waiting) {
      const hold =
        tooLarge(pod, 'requests', shape.requests, pod.requests) ?? tooLarge(pod, 'limits', shape.limits, pod.limits)
      if (hold) return { ...hold, profile: shapes.profile }
    }
  }
  return undefined
}

function tooLarge(
  { undeclared = [] }: PodFacts,
  what: 'requests' | 'limits',
  most: ReadonlyMap<string, number>,
  asked: ReadonlyMap<string, number> = new Map(),
): Omit<TooLarge, 'profile'> | undefined {
  for (const [resource, limit] of most) {
    const is = { reason: 'ShapeExceeded' as const, what, resource, most: limit }
    if (undeclared.includes(`${what}.${resource}`)) return is
    const needs = asked.get(resource) ?? 0
    if (needs > limit) return { ...is, needs }
  }
  return undefined
}
