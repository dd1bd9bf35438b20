// What one decision says about the things cases ask for.
import type { JobCondition, TFJob } from '../../src/api/types.ts'
import type { Decision, Reason } from '../../src/core/decision.ts'
import { isObject } from '../../src/lib/json.ts'
import type { Answers } from './case.ts'
import { createdOf, deletedOf, observe, statusIn, terminalOf, type World } from './observe.ts'

type ReplicaCounts = Record<string, { active?: number; succeeded?: number; failed?: number } | undefined>
interface ExpectedEvent {
  type: string
  reason: string
  message?: string
  messagePrefix?: string
}

export function answersOf(decision: Decision, world: World): Answers {
  const { job } = world
  const status = statusIn(decision)
  const conditions = status.conditions ?? []
  const end = conditions.find((c) => /^(Succeeded|Failed)$/.test(c.type) && c.status === 'True')
  const counted = (names: string[]) => (expected: unknown) =>
    typeof expected === 'number' ? names.length : names.map((name) => name.replace(`${job.metadata.name}-`, ''))
  const pods = observe(world).pods.length
  return {
    podsCreated: createdOf(decision, 'Pod').length,
    podsDeleted: counted(deletedOf(decision, 'Pod')),
    podsRemaining: pods - deletedOf(decision, 'Pod').length,
    podsAfter: pods + createdOf(decision, 'Pod').length - deletedOf(decision, 'Pod').length,
    servicesCreated: createdOf(decision, 'Service').length,
    servicesDeleted: counted(deletedOf(decision, 'Service')),
    ownerRefOnEveryNewObject: everyNewObjectIsOwned(decision, job),
    replicaStatuses: (expected: ReplicaCounts) => countsLike(expected, status.replicaStatuses ?? {}),
    conditions: conditions.filter((c) => c.type !== 'Created').map(({ type, status: s }) => ({ type, status: s })),
    conditionPresent: (expected: unknown) => conditionLike(expected, conditions),
    startTimeSet: status.startTime !== undefined,
    completionTimeSet: status.completionTime !== undefined,
    terminal: terminalOf(status),
    reason: end?.reason,
    messageContains: (expected: string) => (end?.message?.includes(expected) ? expected : end?.message),
    event: (expected: ExpectedEvent) => eventLike(expected, decision.reasons),
    jobDeleted: decision.actions.some((action) => action.verb === 'deleteJob'),
    podGroupDeleted: deletedOf(decision, 'PodGroup').length === 1,
  }
}

export function everyNewObjectIsOwned(decision: Decision, { metadata }: TFJob): boolean {
  return decision.actions
    .flatMap((action) => (action.verb === 'create' ? [action.object] : []))
    .every((object) => object.metadata.ownerReferences?.some((o) => o.controller && o.uid === metadata.uid))
}

/** Counts of zero are left out of the status. */
function countsLike(expected: ReplicaCounts, actual: ReplicaCounts): ReplicaCounts {
  return Object.fromEntries(
    Object.entries(expected).map(([type, counts]) => {
      const keys = Object.keys(counts ?? {}) as (keyof NonNullable<typeof counts>)[]
      return [type, actual[type] && Object.fromEntries(keys.map((key) => [key, actual[type]?.[key] ?? 0]))]
    }),
  )
}

function conditionLike(expected: unknown, conditions: readonly JobCondition[]): unknown {
  const type = isObject(expected) ? expected.type : expected
  const found = conditions.find((c) => c.type === type && c.status === 'True')
  return isObject(expected) ? found && { type: found.type, reason: found.reason } : found?.type
}

/** Of the events that were told, the one that fits, cut down to what is asked; all of them if none does. */
export function eventLike(expected: ExpectedEvent, reasons: readonly Reason[]): unknown {
  const told = reasons.map(({ type, event, message }) => ({
    type,
    reason: event,
    ...(expected.message !== undefined && { message }),
    ...(expected.messagePrefix !== undefined && { messagePrefix: message.slice(0, expected.messagePrefix.length) }),
  }))
  return told.find((event) => JSON.stringify(event) === JSON.stringify(expected)) ?? told
}
