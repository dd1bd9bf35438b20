// TTL and deadline: what is due now, and when to look again.
import type { TFJobStatus } from '../../../src/api/types.ts'
import { answersOf } from '../answers.ts'
import { accept, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { type Counts, decideNow, endedStatus, NOW, type States, spread, statusIn, terminalOf } from '../observe.ts'
import { countsOf } from './one-look.ts'

export function expire(given: Given, edition: Edition): Answers {
  const condition = given.take<string>('condition') ?? 'Succeeded'
  const offset = given.take<number>('completionTimeOffsetSeconds')
  const job = accept(buildJob(given, edition))
  const status: TFJobStatus | undefined = offset === undefined ? undefined : endedStatus(condition, NOW + offset * 1000)
  const states: States = { Worker: [{ index: 0, phase: offset === undefined ? 'Running' : 'Succeeded' }] }
  const world = { job, status, states }
  const decision = decideNow(world)
  const { wakeAt } = decision
  return {
    jobDeleted: answersOf(decision, world).jobDeleted,
    // Whatever is wrong would have been thrown by now.
    error: false,
    requeueAfterAtLeastSeconds: (least: number) => {
      if (least < 0) return wakeAt === undefined ? least : wakeAt
      return wakeAt !== undefined && wakeAt - NOW >= least * 1000 ? least : wakeAt
    },
  }
}

/** The clock starts with the first look at the pods; the second look comes so many seconds later. */
export function passDeadline(given: Given, edition: Edition): Answers {
  const seconds = given.take<number>('secondsSinceStartTime') ?? 0
  const states: States = {}
  const notStarted = given.has('startTime') && given.take('startTime') === undefined
  const pods = given.take<Record<string, Counts>>('pods') ?? (notStarted ? {} : { Worker: { running: 1 } })
  for (const [type, counts] of Object.entries(pods)) states[type] = spread(counts, ['running'])
  const job = accept(buildJob(given, edition, countsOf(states)))
  const status = notStarted ? undefined : statusIn(decideNow({ job, states }))
  const world = { job, states, status }
  const decision = decideNow(world, NOW + seconds * 1000)
  return { ...answersOf(decision, world), past: terminalOf(statusIn(decision)) === 'Failed' }
}
