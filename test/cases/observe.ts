// Real pods and Services of a job in the states a case speaks of, and one look of the engine at them.
import type { Pod, PodStatus, Service } from '../../gen/kubernetes-types.ts'
import type { KubeObject, TFJob, TFJobStatus } from '../../src/api/types.ts'
import { decide } from '../../src/core/decide.ts'
import type { Action, ClusterFacts, Decision, Observed, Reason } from '../../src/core/decision.ts'
import { ATTEMPT_ANNOTATION } from '../../src/core/labels.ts'
import { buildPlan, FULL_CLUSTER } from '../../src/core/plan.ts'
import { read } from '../../src/core/read.ts'
import { sameJson } from '../../src/lib/json.ts'
import { type Instant, toTimestamp } from '../../src/lib/time.ts'

export const NOW: Instant = Date.UTC(2026, 0, 1)

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed'
export interface PodState {
  index: number
  phase: Phase
  /** A pod that failed without one was evicted or never ran. */
  exitCode?: number | null
  restartCount?: number
  /** Which pod of its replica it is, counting from 1. */
  attempt?: number
}
/** By replica type, as the job writes it. */
export type States = Record<string, PodState[]>
export type Counts = Partial<Record<'pending' | 'running' | 'active' | 'succeeded' | 'failed', number>>

const PHASES: Record<string, Phase> = {
  pending: 'Pending',
  running: 'Running',
  active: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
}

/** The first indices get the first state of the order, and so on. */
export function spread(counts: Counts, order: readonly string[], failedWith = 1): PodState[] {
  const phases = order.flatMap((state) =>
    Array.from({ length: counts[state as keyof Counts] ?? 0 }, () => PHASES[state]!),
  )
  return phases.map((phase, index) => ({ index, phase, ...(phase === 'Failed' && { exitCode: failedWith }) }))
}

export interface World {
  job: TFJob
  states?: States
  status?: TFJobStatus
  /** Which Services exist; those of all pods unless said otherwise. */
  services?: (name: string) => boolean
  podGroup?: KubeObject
  facts?: Partial<ClusterFacts>
}

export function observe({ job, states = {}, status, services = () => true, podGroup, facts }: World): Observed {
  const plan = planOf(job, states)
  const pods = Object.entries(states).flatMap(([type, list]) => list.map((state) => podIn(plan, job, type, state)))
  const there = new Set(pods.map((pod) => pod.metadata?.name))
  return {
    status,
    pods,
    services: plan.filter(
      (object): object is KubeObject & Service =>
        object.kind === 'Service' && there.has(object.metadata.name) && services(object.metadata.name ?? ''),
    ),
    ...(podGroup && { podGroup }),
    nodes: new Map([['node-1', { ready: true, outOfService: false }]]),
    cluster: { ...FULL_CLUSTER, ...facts },
  }
}

/** Looks until there is nothing new to say: what the status records may call for deeds of its own. */
export function decideNow(world: World, now = NOW): Decision {
  const reasons: Reason[] = []
  let decision: Decision
  let { status } = world
  do {
    decision = decide(read(world.job), observe({ ...world, status }), now)
    status = statusIn(decision)
    reasons.push(...decision.reasons)
  } while (decision.changed)
  return { ...decision, changed: status !== world.status && !sameJson(status, world.status ?? {}), reasons }
}

export function createdOf(decision: Decision, kind: string): KubeObject[] {
  return decision.actions.flatMap((a) => (a.verb === 'create' && a.kind === kind ? [a.object] : []))
}

export function deletedOf(decision: Decision, kind: string): string[] {
  const isDeletion = (a: Action): a is Extract<Action, { verb: 'delete' }> => a.verb === 'delete' && a.kind === kind
  return decision.actions.filter(isDeletion).map((a) => a.name)
}

export const statusIn = (decision: Decision): TFJobStatus => decision.status as TFJobStatus

/** The terminal condition that is True, or none. */
export function terminalOf({ conditions }: TFJobStatus): string {
  const ends = (conditions ?? []).filter((c) => /^(Succeeded|Failed)$/.test(c.type) && c.status === 'True')
  return ends.map((c) => c.type).join(' and ') || 'none'
}

/** A status that Kubeflow's operator left behind when the job ended. */
export function endedStatus(type: string, completedAt: Instant | undefined): TFJobStatus {
  const time = toTimestamp(completedAt ?? NOW)
  const condition = { type, status: 'True' as const, reason: `TFJob${type}`, message: '', lastTransitionTime: time }
  return { conditions: [condition], startTime: time, ...(completedAt !== undefined && { completionTime: time }) }
}

/** The objects of a job that is large enough and free to run, so that every pod spoken of is among them. */
function planOf(job: TFJob, states: States): KubeObject[] {
  const { suspend: _s, managedBy: _m, ...runPolicy } = job.spec.runPolicy ?? {}
  const tfReplicaSpecs = Object.fromEntries(
    Object.entries(job.spec.tfReplicaSpecs).map(([type, spec]) => {
      const highest = Math.max(-1, ...(states[type] ?? []).map(({ index }) => index))
      return [type, { ...spec, replicas: Math.max(highest + 1, spec.replicas ?? 1) }]
    }),
  )
  return buildPlan(read({ ...job, spec: { ...job.spec, runPolicy, tfReplicaSpecs } })).map((object) => ({
    ...object,
    metadata: { ...object.metadata, uid: `uid-${object.kind}-${object.metadata.name}` },
  }))
}

function podIn(plan: readonly KubeObject[], job: TFJob, type: string, state: PodState): Pod {
  const name = `${job.metadata.name}-${type.toLowerCase()}-${state.index}`
  const planned = plan.find((object) => object.kind === 'Pod' && object.metadata.name === name) as Pod
  return {
    ...planned,
    metadata: {
      ...planned.metadata,
      uid: `uid-${name}-${state.attempt ?? 1}`,
      annotations: { ...planned.metadata?.annotations, [ATTEMPT_ANNOTATION]: String(state.attempt ?? 1) },
    },
    spec: { ...planned.spec!, nodeName: 'node-1' },
    status: podStatus(planned, state),
  }
}

function podStatus(pod: Pod, { phase, exitCode, restartCount = 0 }: PodState): PodStatus {
  if (phase === 'Failed' && typeof exitCode !== 'number') return { phase }
  const at = toTimestamp(NOW)
  const states = {
    Pending: { waiting: { reason: 'ContainerCreating' } },
    Running: { running: { startedAt: at } },
    Succeeded: { terminated: { exitCode: 0, startedAt: at, finishedAt: at } },
    Failed: { terminated: { exitCode: exitCode ?? 1, startedAt: at, finishedAt: at } },
  }
  const containerStatuses = (pod.spec?.containers ?? []).map(({ name }) => ({
    name,
    image: '',
    imageID: '',
    ready: phase === 'Running',
    restartCount,
    state: states[phase],
  }))
  return { phase, containerStatuses }
}
