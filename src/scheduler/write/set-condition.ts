import type { SchedulingCondition } from '../../api/queue/queue-object.ts'
import { type Instant, toTimestamp } from '../../lib/time.ts'

/** The time moves with the status only; `numbered`: so does the transition's own name. */
export function setCondition(
  conditions: readonly SchedulingCondition[],
  type: string,
  verdict: Pick<SchedulingCondition, 'status' | 'reason' | 'message'>,
  now: Instant,
  numbered = false,
): SchedulingCondition[] {
  const old = conditions.find((condition) => condition.type === type)
  const same = old?.status === verdict.status
  const lastTransitionTime = same ? old.lastTransitionTime : toTimestamp(Math.floor(now / 1000) * 1000)
  const transitionID = same ? old.transitionID : String(Number(old?.transitionID ?? 0) + 1)
  const condition = { type, ...verdict, lastTransitionTime, ...(numbered && { transitionID }) }
  return [...conditions.filter((each) => each.type !== type), condition].sort((a, b) => (a.type < b.type ? -1 : 1))
}
