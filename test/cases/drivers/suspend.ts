// Suspended jobs and jobs that somebody else looks after.
import type { TFJob } from '../../../src/api/types.ts'
import { accept, asStored, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { createdOf, decideNow, statusIn } from '../observe.ts'

export function create(given: Given, edition: Edition): Answers {
  return seenAnswers(accept(buildJob(given, edition)))
}

/** Each step changes the spec and is looked at; the last look counts. */
export function go(given: Given, edition: Edition): Answers {
  const steps = given.take<string[]>('sequence')!
  const job = accept(buildJob(given, edition))
  let answers: Answers = {}
  for (const step of steps) {
    const suspend = step === 'create suspended' || step === 'suspend=true'
    answers = seenAnswers({ ...job, spec: { ...job.spec, runPolicy: { ...job.spec.runPolicy, suspend } } })
    if (step === steps[0] && answers.pods !== 0) return answers
  }
  return answers
}

function seenAnswers(job: TFJob): Answers {
  const decision = decideNow({ job })
  const { startTime, conditions } = statusIn(decision)
  return {
    pods: createdOf(decision, 'Pod').length,
    services: createdOf(decision, 'Service').length,
    startTime: startTime ?? null,
    conditions: conditions?.map(({ type, status, reason, message }) => ({ type, status, reason, message })) ?? null,
  }
}

/** Asked of a value too that would be refused: such a job is not touched either. */
export function ask(given: Given, edition: Edition): Answers {
  const managedBy = given.take<string>('managedBy')
  const job = asStored(buildJob(given, edition))
  const decision = decideNow({ job })
  const idle = createdOf(decision, 'Pod').length === 0
  return {
    suspended:
      idle && statusIn(decision).conditions?.some((c) => c.type === 'Suspended' && c.status === 'True') === true,
    externalController: idle && !decision.changed ? managedBy : null,
  }
}
