// A pod's status as a kubelet writes it, from what has become of its containers. Pure.
import type { ContainerState, ContainerStatus, Pod, PodCondition, PodStatus } from '../../../gen/kubernetes-types.ts'
import { SILENT_STDERR, tellSilent } from '../../api/silent-stderr.ts'
import { type Instant, toTimestamp } from '../../lib/time.ts'
import { podIP } from '../environment/field-values.ts'
import type { RunEnd, RunView } from './container-runs.ts'
import type { ContainerRole, PodDecision } from './decide-pod.ts'

export interface ContainerReport {
  name: string
  image: string
  role: ContainerRole
  runs: number
  view: RunView | undefined
  /** How the run before the last ended. */
  before?: RunEnd
  waiting?: { reason: string; message: string }
  started: boolean
  ready: boolean
}

export interface PodReport {
  pod: Pod
  acceptedAt: Instant
  containers: ContainerReport[]
  decision: PodDecision
  /** Its processes were ended from outside, by no fault of theirs. */
  disruption?: string
}

export function buildPodStatus(
  { pod, acceptedAt, containers, decision, disruption }: PodReport,
  now: Instant,
): PodStatus {
  const mains = containers.filter(({ role }) => role === 'main')
  const before = containers.filter(({ role }) => role !== 'main')
  const known = pod.status?.conditions ?? []
  const condition = (type: string, holds: boolean, reason?: string, message?: string): PodCondition =>
    carryOver(
      known,
      { type, status: holds ? 'True' : 'False', ...(reason && { reason }), ...(message && { message }) },
      now,
    )
  const unready = mains.filter((each) => !isReady(each)).map(({ name }) => name)
  const over =
    decision.outcome === 'Succeeded' ? 'PodCompleted' : decision.outcome === 'Failed' ? 'PodFailed' : undefined
  const notReady = `containers with unready status: [${unready.join(' ')}]`
  const ready = (type: string) =>
    condition(
      type,
      unready.length === 0,
      unready.length ? (over ?? 'ContainersNotReady') : undefined,
      unready.length && !over ? notReady : undefined,
    )
  const incomplete = before.filter((each) => !isComplete(each)).map(({ name }) => name)
  const initialized = decision.initialized || incomplete.length === 0
  const conditions = [
    condition('PodReadyToStartContainers', !decision.outcome),
    initialized
      ? condition('Initialized', true)
      : condition(
          'Initialized',
          false,
          'ContainersNotInitialized',
          `containers with incomplete status: [${incomplete.join(' ')}]`,
        ),
    ready('Ready'),
    ready('ContainersReady'),
    condition('PodScheduled', true),
    ...silenceOf(containers).map(([type, message]) => condition(type, true, 'NothingOnStderr', message)),
    ...(disruption ? [condition('DisruptionTarget', true, 'TerminationByKubelet', disruption)] : []),
  ]
  const own = new Set([SILENT_STDERR, ...conditions.map(({ type }) => type)])
  return {
    phase: phaseOf(decision, mains),
    conditions: [...conditions, ...known.filter(({ type }) => !own.has(type))],
    hostIP: podIP,
    hostIPs: [{ ip: podIP }],
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: toTimestamp(Math.floor(acceptedAt / 1000) * 1000),
    ...(pod.status?.qosClass && { qosClass: pod.status.qosClass }),
    ...(before.length > 0 && {
      initContainerStatuses: before.map((each) => buildContainerStatus(each, true, pod, decision)),
    }),
    containerStatuses: mains
      .map((each) => buildContainerStatus(each, initialized, pod, decision))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** What the exit code does not tell, and a container's status has no field for. */
function silenceOf(containers: ContainerReport[]): [type: string, message: string][] {
  const silent = containers.filter(
    ({ view }) => view?.kind === 'ended' && view.end.exitCode !== 0 && view.end.silentOnStderr,
  )
  return silent.length > 0 ? [[SILENT_STDERR, tellSilent(silent.map(({ name }) => name))]] : []
}

function phaseOf({ outcome, initialized }: PodDecision, mains: ContainerReport[]): string {
  if (outcome) return outcome
  if (!initialized || mains.some(({ view, runs }) => runs === 0 || (runs === 1 && view?.kind === 'starting')))
    return 'Pending'
  return 'Running'
}

function isReady({ view, ready }: ContainerReport): boolean {
  return view?.kind === 'running' && ready
}

function isComplete({ role, view, started }: ContainerReport): boolean {
  if (role === 'sidecar') return started
  return view?.kind === 'ended' && view.end.exitCode === 0
}

function buildContainerStatus(
  report: ContainerReport,
  initialized: boolean,
  pod: Pod,
  { backOff }: PodDecision,
): ContainerStatus {
  const { name, image, role, runs, view, before, started } = report
  const ended = view?.kind === 'ended'
  const idOf = (run: number): string => `process://${pod.metadata?.uid}/${name}/${run}`
  const containerID = runs > 0 ? idOf(runs) : undefined
  const delay = backOff[name]
  const restarting = ended && delay !== undefined
  const done = role === 'init' && ended && view.end.exitCode === 0
  return {
    name,
    image,
    imageID: '',
    ...(containerID && { containerID }),
    ready: done || isReady(report),
    restartCount: Math.max(0, runs - 1),
    started: view?.kind === 'running' && started,
    state: restarting ? { waiting: waitToRestart(name, pod, delay) } : stateOf(report, initialized, containerID),
    lastState: restarting
      ? { terminated: buildTerminated(view.end, containerID) }
      : before
        ? { terminated: buildTerminated(before, idOf(runs - 1)) }
        : {},
  }
}

function stateOf({ view, waiting, role }: ContainerReport, initialized: boolean, containerID?: string): ContainerState {
  if (view?.kind === 'running') return { running: { startedAt: toTimestamp(Math.floor(view.startedAt)) } }
  if (view?.kind === 'ended') return { terminated: buildTerminated(view.end, containerID) }
  if (waiting) return { waiting }
  return { waiting: { reason: role === 'main' && !initialized ? 'PodInitializing' : 'ContainerCreating' } }
}

function waitToRestart(container: string, { metadata }: Pod, delay: number) {
  const name = `${metadata?.name}_${metadata?.namespace}(${metadata?.uid})`
  const message = `back-off ${Math.round(delay / 1000)}s restarting failed container=${container} pod=${name}`
  return { reason: 'CrashLoopBackOff', message }
}

/** With milliseconds: who ended first is decided by them. */
function buildTerminated({ exitCode, reason, signal, message, startedAt, finishedAt }: RunEnd, containerID?: string) {
  return {
    exitCode,
    reason,
    ...(signal !== undefined && { signal }),
    ...(message && { message }),
    ...(startedAt !== undefined && { startedAt: toTimestamp(Math.floor(startedAt)) }),
    finishedAt: toTimestamp(Math.floor(finishedAt)),
    ...(containerID && { containerID }),
  }
}

function carryOver(known: PodCondition[], condition: PodCondition, now: Instant): PodCondition {
  const old = known.find(({ type }) => type === condition.type)
  const unchanged = old?.status === condition.status && old.lastTransitionTime
  return { ...condition, lastTransitionTime: unchanged || toTimestamp(Math.floor(now / 1000) * 1000) }
}

/** For a pod that the API calls running and of which this machine knows nothing: it must not be run a second time. */
export function buildLostStatus(pod: Pod, now: Instant): PodStatus | undefined {
  const { status } = pod
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  if (!statuses.some(({ state }) => state?.running ?? state?.terminated)) return undefined
  const message = 'this machine knows nothing of it any more; how it ended is not known'
  const end = { exitCode: 137, reason: 'ContainerStatusUnknown', message, finishedAt: now }
  const lose = (each: ContainerStatus): ContainerStatus =>
    each.state?.terminated
      ? each
      : { ...each, ready: false, started: false, state: { terminated: buildTerminated(end) } }
  return {
    ...status,
    phase: 'Failed',
    reason: 'ContainerStatusUnknown',
    message,
    ...(status?.initContainerStatuses && { initContainerStatuses: status.initContainerStatuses.map(lose) }),
    containerStatuses: status?.containerStatuses?.map(lose),
  }
}
