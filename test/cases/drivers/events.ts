import type { Reason } from '../../../src/core/decision.ts'
import { type Cluster, execute, JobCache, JobMemory } from '../../../src/operator/execute.ts'
import { eventLike } from '../answers.ts'
import { accept, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { decideNow, NOW, type States } from '../observe.ts'

type ExpectedEvent = Parameters<typeof eventLike>[0]

/** Brings about what the case speaks of; the events are those that reach the cluster. */
export async function tell(given: Given, edition: Edition): Promise<Answers> {
  const apiError = given.take<string>('apiError')
  const failed = given.take<Record<string, number>>('failed')
  const deleted = given.take<string>('deleted')
  const fresh = given.take<string>('created') !== undefined || apiError !== undefined
  const job = accept(buildJob(given, edition))
  const replica = job.spec.tfReplicaSpecs.Worker!
  if (failed) replica.restartPolicy = 'OnFailure'
  if (deleted) job.spec.runPolicy = { suspend: true }
  const phase = failed ? 'Failed' : deleted ? 'Running' : 'Succeeded'
  const states: States = fresh ? {} : { Worker: [{ index: 0, phase, exitCode: failed ? 1 : 0 }] }
  const recorded = await eventsOf(decideNow({ job, states }), job.metadata.uid ?? '', apiError)
  return { event: (expected: ExpectedEvent) => eventLike(expected, recorded) }
}

async function eventsOf(
  decision: ReturnType<typeof decideNow>,
  uid: string,
  apiError: string | undefined,
): Promise<Reason[]> {
  const recorded: Reason[] = []
  const cluster: Cluster = {
    send: async (request) => {
      if (request.verb === 'recordEvent') recorded.push(request.reason)
      if (request.verb === 'create' && request.kind === 'Pod' && apiError)
        return { done: false, refusal: 'Forbidden', message: apiError }
      return { done: true }
    },
  }
  await execute(cluster, { uid, resourceVersion: '1', replicas: 1 }, decision, new JobMemory(new JobCache()), NOW)
  return recorded
}
