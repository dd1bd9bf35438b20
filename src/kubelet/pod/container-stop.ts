// The way to a container's end: its preStop hook, its stop signal to the tree, and at the deadline SIGKILL.
import type { Container, LifecycleHandler } from '../../../gen/kubernetes-types.ts'
import type { Instant } from '../../lib/time.ts'
import type { PodEvent } from '../interfaces.ts'
import { stopSignalOf } from '../process/stop-signal.ts'
import { killTree, signalTree, type Tree } from '../process/tree.ts'
import { runHook } from './lifecycle-hook.ts'
import type { ProbeTarget } from './probe.ts'

export interface StopSurroundings {
  tree(): Tree
  target: ProbeTarget
  event(event: PodEvent): void
  wake(): void
}

const retryKill = 5000
/** As much as a kubelet leaves. */
export const leastGrace = 2000

export class ContainerStop {
  readonly #around: StopSurroundings
  readonly #container: Container
  #deadline: Instant = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #cancelled = false

  constructor(container: Container, around: StopSurroundings) {
    this.#container = container
    this.#around = around
  }

  by(deadline: Instant): void {
    if (deadline >= this.#deadline) return
    const isFirst = this.#deadline === Number.POSITIVE_INFINITY
    this.#deadline = deadline
    const preStop = this.#container.lifecycle?.preStop
    if (isFirst && preStop && deadline > Date.now()) {
      void this.#askAfter(preStop, deadline)
      return
    }
    if (isFirst) this.#ask()
    this.#killAfter(Math.max(0, deadline - Date.now()))
  }

  cancel(): void {
    this.#cancelled = true
    clearTimeout(this.#timer)
  }

  #ask(): void {
    signalTree(this.#around.tree(), stopSignalOf(this.#container.lifecycle?.stopSignal))
  }

  /** The hook takes of the grace period, but what it leaves is never too little for a program to hear of its signal. */
  async #askAfter(preStop: LifecycleHandler, deadline: Instant): Promise<void> {
    const problem = await runHook(preStop, this.#container, this.#around.target, deadline - Date.now())
    const message = `PreStopHook ${problem}`
    if (problem !== undefined) this.#around.event({ type: 'Warning', reason: 'FailedPreStopHook', message })
    if (this.#cancelled) return
    this.#ask()
    if (this.#deadline === deadline) this.#killAfter(Math.max(leastGrace, deadline - Date.now()))
  }

  #killAfter(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#kill(), ms)
  }

  async #kill(): Promise<void> {
    const left = await killTree(this.#around.tree())
    if (this.#cancelled) return
    if (left.length > 0) {
      this.#around.event(cannotKill(this.#container.name, left))
      this.#killAfter(retryKill)
    }
    this.#around.wake()
  }
}

export function cannotKill(container: string, pids: number[]): PodEvent {
  const message = `container ${container}: ${pids.length} processes cannot be killed (pid ${pids.slice(0, 5).join(', ')})`
  return { type: 'Warning', reason: 'FailedKillPod', message }
}
