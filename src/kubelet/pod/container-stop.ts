// The way to a container's end: its preStop hook, SIGTERM to the tree, and at the deadline SIGKILL.
import type { Container } from '../../../gen/kubernetes-types.ts'
import type { Instant } from '../../lib/time.ts'
import type { PodEvent } from '../interfaces.ts'
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
    if (this.#deadline === Number.POSITIVE_INFINITY) void this.#askKindly(deadline)
    if (deadline >= this.#deadline) return
    this.#deadline = deadline
    this.#killAfter(Math.max(0, deadline - Date.now()))
  }

  cancel(): void {
    this.#cancelled = true
    clearTimeout(this.#timer)
  }

  async #askKindly(deadline: Instant): Promise<void> {
    const preStop = this.#container.lifecycle?.preStop
    const left = deadline - Date.now()
    if (preStop && left > 0) {
      const problem = await runHook(preStop, this.#container, this.#around.target, left)
      const message = `PreStopHook ${problem}`
      if (problem !== undefined) this.#around.event({ type: 'Warning', reason: 'FailedPreStopHook', message })
    }
    if (!this.#cancelled) signalTree(this.#around.tree(), 'SIGTERM')
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
