// One look of the engine at pods in given states.
import type { KubeObject, TFJob } from '../../../src/api/types.ts'
import { answersOf } from '../answers.ts'
import { accept, buildJob } from '../build-job.ts'
import { type Answers, type Edition, Given } from '../case.ts'
import {
  type Counts,
  createdOf,
  decideNow,
  deletedOf,
  endedStatus,
  NOW,
  type PodState,
  type States,
  spread,
  statusIn,
  terminalOf,
  type World,
} from '../observe.ts'

const OTHERWISE = ['pending', 'running', 'succeeded', 'failed']

export function reconcile(given: Given, edition: Edition): Answers {
  const states = statesOf(given)
  const job = accept(buildJob(given, edition, countsOf(states)))
  const world: World = { job, states, services: serviceFilter(given), ...finishedWorld(given, job) }
  return answersOf(decideNow(world), world)
}

/** `restartable`: under ExitCode, with a code that may be retried. `worker0ExitedZero`: who of the workers succeeded. */
export function updateStatus(given: Given, edition: Edition): Answers {
  const restartable = given.take<boolean>('restartable')
  const order = given.take('worker0ExitedZero') ? ['succeeded', 'failed', 'active'] : ['failed', 'active', 'succeeded']
  const states: States = {}
  for (const [type, counts] of Object.entries(given.take<Record<string, Counts>>('podsByType') ?? {})) {
    states[type] = spread(counts, order, restartable ? 130 : 1)
  }
  const job = accept(buildJob(given, edition))
  if (restartable) for (const spec of Object.values(job.spec.tfReplicaSpecs)) spec.restartPolicy = 'ExitCode'
  const world = { job, states }
  const answers = answersOf(decideNow(world), world)
  return { ...answers, conditionsChiefFirst: answers.conditions, recommendedTerminal: answers.terminal }
}

/** Worker 0 has completed exactly when it makes the job succeed. */
export function askWorker0(given: Given, edition: Edition): Answers {
  const states = statesOf(given)
  const job = accept(buildJob(given, edition))
  return { worker0Completed: terminalOf(statusIn(decideNow({ job, states }))) === 'Succeeded' }
}

/** Retryable is what is started again instead of ending the job. */
export function classifyExit(given: Given, edition: Edition): Answers {
  const exitCode = given.take<number>('exitCode')!
  const job = accept(buildJob(given, edition))
  job.spec.tfReplicaSpecs.Worker!.restartPolicy = 'ExitCode'
  const states: States = { Worker: [{ index: 0, phase: exitCode === 0 ? 'Succeeded' : 'Failed', exitCode }] }
  const decision = decideNow({ job, states })
  const restarted = deletedOf(decision, 'Pod').length === 1 && terminalOf(statusIn(decision)) === 'none'
  const ended = deletedOf(decision, 'Pod').length === 0 && terminalOf(statusIn(decision)) !== 'none'
  return { retryable: restarted === ended ? 'neither restarted nor ended' : restarted }
}

/** Pods by names of their own stand for workers 0, 1, … */
export function cleanUp(given: Given, edition: Edition): Answers {
  const pods = given.take<{ name: string; phase: PodState['phase'] }[]>('pods')!
  const job = accept(buildJob(given, edition, { Worker: pods.length }))
  const states: States = { Worker: pods.map(({ phase }, index) => ({ index, phase })) }
  const decision = decideNow({ job, states, ...finishedWorld(given, job, 'Succeeded') })
  const remaining = (kind: string): string[] =>
    pods.filter((_, i) => !deletedOf(decision, kind).includes(`job-worker-${i}`)).map(({ name }) => name)
  const isDeleted = (phase: string): boolean =>
    pods.some((p) => p.phase === phase && !remaining('Pod').includes(p.name))
  return {
    podsRemaining: remaining('Pod'),
    servicesRemaining: remaining('Service'),
    deletesRunning: isDeleted('Running'),
    deletesSucceeded: isDeleted('Succeeded'),
  }
}

export function isFinished(given: Given, edition: Edition): Answers {
  const status = endedStatus(given.take<string>('condition')!, undefined)
  const job = accept(buildJob(given, edition))
  return { finished: createdOf(decideNow({ job, status }), 'Pod').length === 0 }
}

/** What exists beyond the wanted number goes, what is missing comes. */
export function compareIndices(given: Given, edition: Edition): Answers {
  const existing = given.take<number[]>('existingIndices')!
  const replicas = given.take<number>('replicas')!
  const job = accept(buildJob(new Given({ replicas: { Worker: replicas } }), edition))
  const states: States = { Worker: existing.map((index) => ({ index, phase: 'Running' })) }
  const decision = decideNow({ job, states })
  const indexOf = (name: string | undefined): number => Number(name?.replace('job-worker-', ''))
  const created = createdOf(decision, 'Pod').map((pod) => indexOf(pod.metadata.name))
  return {
    slots: new Set([...existing, ...created]).size,
    deleteIndices: deletedOf(decision, 'Pod').map(indexOf),
    createIndices: created,
  }
}

/** The types are called foo and bar there; each pod counts for its own type only. */
export function selectByType(given: Given, edition: Edition): Answers {
  const pods = Object.entries(given.take<Record<string, string>>('pods')!)
  const wanted = given.take<string>('type')!
  const ofType = (own: boolean) => pods.filter(([, type]) => (type === wanted) === own).map(([name]) => name)
  const names: Record<string, string[]> = { Worker: ofType(true), PS: ofType(false) }
  const job = accept(buildJob(given, edition, { Worker: names.Worker!.length, PS: names.PS!.length }))
  const running = (list: string[]): PodState[] => list.map((_, index) => ({ index, phase: 'Running' }))
  const states: States = { Worker: running(names.Worker!), PS: running(names.PS!) }
  const task = statusIn(decideNow({ job, states })).trainyard?.tasks?.find(({ type }) => type === 'Worker')
  return {
    selected: task?.replicaStatus.map(({ name, phase }) => {
      const [, type, index] = /^job-(\w+)-(\d+)$/.exec(name) ?? []
      return type === 'worker' && phase === 'Running' ? names.Worker![Number(index)] : name
    }),
  }
}

function statesOf(given: Given): States {
  const order = given.take<string>('podIndexOrder')?.split(',') ?? OTHERWISE
  const worker0 = given.take<Omit<PodState, 'index'>>('worker0')
  if (worker0) return { Worker: [{ index: 0, ...worker0 }] }
  const existing = given.take<string[]>('existingPods')
  if (existing) return { Worker: existing.map((_, index) => ({ index, phase: 'Running' })) }
  const byType = given.take<Record<string, Counts>>('pods') ?? {
    Worker: given.take<Counts>('workerPods') ?? {},
    PS: given.take<Counts>('psPods') ?? {},
  }
  const states = Object.entries(byType).map(([type, counts]) => [type, spread(counts, order)] as const)
  return Object.fromEntries(states.filter(([, list]) => list.length > 0))
}

export function countsOf(states: States): Record<string, number> | undefined {
  const counts = Object.entries(states).map(([type, list]) => [type, list.length] as const)
  return counts.length > 0 ? Object.fromEntries(counts) : undefined
}

function serviceFilter(given: Given): (name: string) => boolean {
  const workers = given.take<number>('workerServices')
  const ps = given.take<number>('psServices')
  const all = given.take<number>('services')
  return (name) => {
    const [, type, index] = /-(worker|ps)-(\d+)$/.exec(name) ?? []
    return Number(index) < ((type === 'ps' ? ps : workers) ?? all ?? Number.POSITIVE_INFINITY)
  }
}

function finishedWorld(given: Given, job: TFJob, otherwise?: string): Partial<World> {
  const gang = given.take<boolean>('gang')
  const podGroup: KubeObject | undefined = gang
    ? {
        apiVersion: 'scheduler.tensorstack.dev/v1beta1',
        kind: 'PodGroup',
        metadata: { name: job.metadata.name, uid: 'uid-group' },
      }
    : undefined
  const condition = given.take<string>('jobCondition') ?? otherwise
  const age = given.take<number>('completionAgeSeconds') ?? 0
  return { podGroup, ...(condition && { status: endedStatus(condition, NOW - age * 1000) }) }
}
