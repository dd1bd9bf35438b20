// What a pod needs next, from what has become of its containers. Pure.
import type { PodSpec } from '../../../gen/kubernetes-types.ts'
import type { Instant } from '../../lib/time.ts'
import type { RunEnd } from './container-runs.ts'

export type ContainerRole = 'init' | 'sidecar' | 'main'

export interface ContainerView {
  name: string
  role: ContainerRole
  /** How often it has been started. */
  runs: number
  current: 'none' | 'starting' | 'running' | 'ended'
  /** How its last run ended, when it has. */
  end?: RunEnd
  /** It has passed its startup probe. */
  started: boolean
}

export interface PodDecision {
  start: string[]
  stop: string[]
  /** All is over. */
  outcome?: 'Succeeded' | 'Failed'
  initialized: boolean
  /** Containers that have ended and are started again after a while, of so many milliseconds. */
  backOff: Record<string, number>
  /** The next restart is due then. */
  wakeAt?: Instant
}

export const usualRestartDelay = 10_000
const longestBackoff = 300_000
/** After this long a run is taken for sound, and its next restart comes soon again. */
const soundRun = 600_000

export function decidePod(
  restartPolicy: PodSpec['restartPolicy'],
  containers: ContainerView[],
  now: Instant,
  restartDelay = usualRestartDelay,
): PodDecision {
  const decision: PodDecision = { start: [], stop: [], initialized: false, backOff: {} }
  const mains = containers.filter(({ role }) => role === 'main')
  const over = mains.every((each) => each.current === 'ended' && !restartsMain(restartPolicy, each))
  if (over) {
    const outcome = mains.every(({ end }) => end?.exitCode === 0) ? 'Succeeded' : 'Failed'
    return { start: [], stop: nextToStop(containers), outcome, initialized: true, backOff: {} }
  }
  const begun = mains.some(({ runs }) => runs > 0)
  for (const container of containers) {
    const { role, current, end } = container
    if (role === 'main' || (role === 'init' && (begun || (current === 'ended' && end?.exitCode === 0)))) continue
    if (role === 'init' && current === 'ended' && restartPolicy === 'Never') {
      return { start: [], stop: nextToStop(containers), outcome: 'Failed', initialized: false, backOff: {} }
    }
    startOrRestart(container, decision, now, restartDelay)
    if (!begun && (role === 'init' || !container.started)) return decision
  }
  decision.initialized = true
  for (const container of mains) {
    if (container.current !== 'ended' || restartsMain(restartPolicy, container))
      startOrRestart(container, decision, now, restartDelay)
  }
  return decision
}

/** Whose turn it is to end: sidecars outlive those whom they serve, and end in the opposite order of their start. */
export function nextToStop(containers: ContainerView[]): string[] {
  const active = containers.filter(({ current }) => current === 'running' || current === 'starting')
  const served = active.filter(({ role }) => role !== 'sidecar')
  return (served.length > 0 ? served : active.slice(-1)).map(({ name }) => name)
}

function restartsMain(policy: PodSpec['restartPolicy'], { end }: ContainerView): boolean {
  return policy === 'Never' ? false : policy === 'OnFailure' ? end?.exitCode !== 0 : true
}

function startOrRestart(container: ContainerView, decision: PodDecision, now: Instant, restartDelay: number): void {
  if (container.current === 'none') decision.start.push(container.name)
  if (container.current !== 'ended' || !container.end) return
  const delay = backoff(container.runs, container.end, restartDelay)
  const at = container.end.finishedAt + delay
  if (at <= now) decision.start.push(container.name)
  else {
    decision.backOff[container.name] = delay
    decision.wakeAt = Math.min(at, decision.wakeAt ?? Number.POSITIVE_INFINITY)
  }
}

function backoff(runs: number, { startedAt, finishedAt }: RunEnd, first: number): number {
  if (startedAt !== undefined && finishedAt - startedAt >= soundRun) return first
  return Math.min(first * 2 ** Math.min(runs - 1, 10), longestBackoff)
}
