// Suspended jobs and jobs that somebody else looks after.
import type { TFJob, TFJobStatus } from '../../../src/api/types.ts'
import { accept, asStored, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import {
  createdOf,
  decideNow,
  deletedOf,
  NOW,
  observe,
  type PodState,
  type States,
  statusIn,
  type World,
} from '../observe.ts'

export function create(given: Given, edition: Edition): Answers {
  return look({ job: accept(buildJob(given, edition)) }).answers
}

/** Each step happens a second after the one before it and is looked at; the last look counts. */
export function go(given: Given, edition: Edition): Answers {
  const steps = given.take<string[]>('sequence')!
  const world: World = { job: accept(buildJob(given, edition)) }
  let answers: Answers = {}
  steps.forEach((step, i) => {
    if (step === 'pods Running') world.states = allRunning(world.job)
    else world.job = suspended(world.job, step === 'create suspended' || step === 'suspend=true')
    const seen = look(world, NOW + i * 1000)
    answers = seen.answers
    world.status = seen.status
    if (answers.pods === 0) world.states = {}
  })
  return answers
}

function suspended(job: TFJob, suspend: boolean): TFJob {
  return { ...job, spec: { ...job.spec, runPolicy: { ...job.spec.runPolicy, suspend } } }
}

function allRunning({ spec }: TFJob): States {
  const running = ({ replicas = 1 }): PodState[] =>
    Array.from({ length: replicas }, (_, index) => ({ index, phase: 'Running' }))
  return Object.fromEntries(Object.entries(spec.tfReplicaSpecs).map(([type, replica]) => [type, running(replica)]))
}

function look(world: World, now = NOW): { answers: Answers; status: TFJobStatus } {
  const decision = decideNow(world, now)
  const before = observe(world)
  const left = (kind: string, there: number): number =>
    there + createdOf(decision, kind).length - deletedOf(decision, kind).length
  const status = statusIn(decision)
  const { startTime, conditions } = status
  const answers = {
    pods: left('Pod', before.pods.length),
    services: left('Service', before.services.length),
    startTime: startTime ?? null,
    conditions:
      conditions?.map(({ type, status: s, reason, message }) => ({ type, status: s, reason, message })) ?? null,
  }
  return { answers, status }
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
