// The executor's door: carries decisions out through an interface, with no I/O of its own.
import type { Decision } from '../core/decision.ts'
import type { Instant } from '../lib/time.ts'
import { carryOut, type Outcome } from './execute/carry-out.ts'
import type { Answers, Batch, Cluster } from './execute/cluster.ts'
import type { JobMemory } from './execute/job-memory.ts'
import { type JobAtHand, UNDER_WAY } from './execute/pass.ts'

export { carryOut, type Outcome } from './execute/carry-out.ts'
export type { Answer, Answers, Batch, Cluster, Refusal, Request } from './execute/cluster.ts'
export { JobMemory, type Patience } from './execute/job-memory.ts'
export { JobCache, type OwnWrites } from './execute/own-writes.ts'
export type { JobAtHand } from './execute/pass.ts'

export async function execute(
  cluster: Cluster,
  job: JobAtHand,
  decision: Decision,
  memory: JobMemory,
  now: Instant,
): Promise<Outcome> {
  const steps = carryOut(job, decision, memory, now)
  let step = steps.next()
  while (!step.done) step = steps.next(await sendAll(cluster, step.value))
  return step.value
}

/** Sent in order, the master's pod alone and Services before the other pods, but these not awaited one by one. */
async function sendAll(cluster: Cluster, batch: Batch): Promise<Answers> {
  const { requests, firstAlone, stopsCreating } = batch
  const answers: Answers = requests.map(() => undefined)
  let next = 0
  let stopped = false
  const sendNext = async (): Promise<void> => {
    const i = next++
    const request = requests[i]!
    if (stopped && request.verb === 'create') return
    const answer = await cluster.send(request)
    answers[i] = answer
    if (stopsCreating?.(request, answer)) stopped = true
  }
  const work = async (): Promise<void> => {
    while (next < requests.length) await sendNext()
  }
  if (firstAlone) await sendNext()
  await Promise.all(Array.from({ length: Math.min(UNDER_WAY, requests.length) }, work))
  return answers
}
