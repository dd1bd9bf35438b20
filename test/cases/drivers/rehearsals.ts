// Whole lives of jobs, in virtual time.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { JobCondition, TFJob, TFJobStatus } from '../../../src/api/types.ts'
import { type RehearsalResult, rehearse, type Script, type ScriptEvent } from '../../../src/rehearse/rehearse.ts'
import { everyNewObjectIsOwned } from '../answers.ts'
import { accept, buildJob } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { createdOf, decideNow, type PodState, terminalOf } from '../observe.ts'

type Ending = { type: string; index: number; exitCode: number }

/** Who is told to end does so; if nobody is, all do but those whose command never ends. */
export function live(given: Given, edition: Edition): Answers {
  const events = endingsOf(given)
  const sleepers = Object.entries(given.take<Record<string, string>>('commands') ?? {})
    .filter(([, command]) => command.includes('tail -f'))
    .map(([type]) => type.toLowerCase())
  const job = accept(buildJob(given, edition))
  const script: Script = {
    defaults: { exitAfter: events.length > 0 ? 'never' : '60s' },
    replicas: Object.fromEntries(replicasOf(job, sleepers).map((name) => [name, { exitAfter: 'never' }])),
    events,
    until: '1h',
  }
  return { ...livedAnswers(rehearse(job, script)), ...(given.take('action') === 'delete job' && gone(job)) }
}

function endingsOf(given: Given): ScriptEvent[] {
  const said = given.take<Ending | Record<string, number>>('terminate')
  if (!said) return []
  const endings = 'exitCode' in said ? { [`${said.type}-${said.index}`.toLowerCase()]: said.exitCode as number } : said
  return Object.entries(endings as Record<string, number>).map(([replica, exit]) => ({ at: '10s', replica, exit }))
}

function replicasOf(job: TFJob, types: readonly string[]): string[] {
  return Object.entries(job.spec.tfReplicaSpecs).flatMap(([type, { replicas = 1 }]) =>
    types.includes(type.toLowerCase()) ? Array.from({ length: replicas }, (_, i) => `${type.toLowerCase()}-${i}`) : [],
  )
}

function livedAnswers(result: RehearsalResult): Answers {
  const status = result.status as TFJobStatus
  const conditions = status.conditions ?? []
  const isTrue = (type: string): boolean => conditions.some((c) => c.type === type && c.status === 'True')
  const pods = result.objects.filter((object) => object.kind === 'Pod') as Pod[]
  const kept = (type: string): string => {
    const mine = pods.filter((pod) => pod.metadata?.name?.includes(`-${type}-`)).map((pod) => pod.status?.phase)
    const wanted = result.replicas.filter((replica) => replica.type === type).length
    return mine.length === wanted ? `${[...new Set(mine)].join(', ')} kept` : `${mine.length} of ${wanted} kept`
  }
  const failures = result.timeline.filter(({ reason }) => reason.startsWith('FailedCreate'))
  return {
    terminal: failures.length > 0 ? failures : terminalOf(status),
    pods: pods.length === 0 ? 'all gone' : pods.map((pod) => pod.metadata?.name),
    Chief: kept('chief'),
    Worker: kept('worker'),
    PS: kept('ps'),
    ps0ContainerStartTimeChanges: startsOf(result, 'ps', 0).size > 1,
    conditionsTrue: (expected: string[]) => expected.filter(isTrue),
    conditionsNotTrue: (expected: string[]) => expected.filter((type) => !isTrue(type)),
    conditionsSeen: (expected: string[]) => expected.filter((type) => wasSeen(type, conditions)),
    minConditions: (least: number) => (conditions.length >= least ? least : conditions.length),
  }
}

function startsOf(result: RehearsalResult, type: string, index: number): Set<number | null> {
  const replica = result.replicas.find((r) => r.type === type && r.index === index)
  return new Set(replica?.attempts.map(({ startedAt }) => startedAt).filter((at) => at !== null))
}

function wasSeen(words: string, conditions: readonly JobCondition[]): boolean {
  const types = words === 'Running or terminal' ? ['Running', 'Succeeded', 'Failed'] : [words]
  return conditions.some(({ type }) => types.includes(type))
}

/** A job being deleted makes nothing new, and what it made goes with it: all of it is owned and blocks. */
function gone(job: TFJob): Answers {
  const owned = everyNewObjectIsOwned(decideNow({ job }), job)
  const deleting = { ...job, metadata: { ...job.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  const decision = decideNow({ job: deleting })
  return { jobGone: owned && createdOf(decision, 'Pod').length + createdOf(decision, 'Service').length === 0 }
}

/** Each container restart upstream counts is one failure here; a replica that is never restarted has none. */
export function spendBudget(given: Given, edition: Edition): Answers {
  const pods = given.take<Omit<PodState, 'index'>[]>('pods')!
  const job = accept(buildJob(given, edition, { Worker: pods.length }))
  const restarts = job.spec.tfReplicaSpecs.Worker!.restartPolicy !== 'Never'
  const events: ScriptEvent[] = pods.flatMap(({ phase, restartCount = 0 }, index): ScriptEvent[] => {
    const replica = `worker-${index}`
    if (phase === 'Succeeded') return [{ at: '5s', replica, exit: 0 }]
    // Far enough apart for the replica to have come back each time.
    const failures = Array.from({ length: restarts ? restartCount : 0 }, (_, i) => `${10 + 1000 * i}s`)
    return failures.map((at) => ({ at, replica, exit: 1 }))
  })
  const result = rehearse(job, { defaults: { exitAfter: 'never' }, events, until: '48h' })
  const failure = (result.status as TFJobStatus).conditions?.find((c) => c.type === 'Failed')
  const asked = events.filter((event) => 'exit' in event && event.exit === 1).length
  const unheard = result.timeline.filter(({ message }) => message.includes('without effect')).length
  if (!failure && unheard > 0) throw new Error(`${unheard} of ${asked} failures did not happen`)
  return { past: failure?.message?.includes('backoff limit') ?? false }
}

export function outlive(given: Given, edition: Edition): Answers {
  const phase = given.take<string>('worker0Phase')
  const exitCode = phase === 'Succeeded' ? 0 : 1
  const job = accept(buildJob(given, edition))
  const { scene, phase: end } = rehearse(job, { replicas: { 'worker-0': { exitCode } } })
  const took = (scene.deletedAt ?? Number.POSITIVE_INFINITY) - scene.endedAt
  return {
    jobDeletedWithinSeconds: (expected: string) =>
      end === 'Deleted' && took <= (Number.parseInt(expected, 10) + 1) * 1000 ? expected : took,
  }
}
