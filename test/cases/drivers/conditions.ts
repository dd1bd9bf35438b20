import type { TFJobStatus } from '../../../src/api/types.ts'
import { accept, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { decideNow, NOW, type PodState, type States, statusIn } from '../observe.ts'

/** What must happen to the one worker for the job to get the condition. */
const CAUSES: Record<string, Omit<PodState, 'index'> | undefined> = {
  Created: undefined,
  Running: { phase: 'Running' },
  Restarting: { phase: 'Failed', exitCode: 137 },
  Failed: { phase: 'Failed', exitCode: 1 },
  Succeeded: { phase: 'Succeeded' },
}

export function follow(given: Given, edition: Edition): Answers {
  const sequence = given.take<string[]>('sequence')!
  const job = accept(buildJob(given, edition))
  job.spec.tfReplicaSpecs.Worker!.restartPolicy = 'ExitCode'
  let status: TFJobStatus | undefined
  let attempt = 1
  const after = sequence.map((step, i) => {
    const cause = CAUSES[step]
    if (sequence[i - 1] === 'Restarting') attempt += 1
    const states: States = cause ? { Worker: [{ index: 0, attempt, ...cause }] } : {}
    status = statusIn(decideNow({ job, states, status }, NOW + i * 1000))
    return (status.conditions ?? []).map((c) => (c.status === 'True' ? c.type : `${c.type}=${c.status}`))
  })
  return { after }
}
