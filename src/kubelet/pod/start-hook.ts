// The postStart hook of a run: until it is over nobody may count on the container, and if it fails the container ends.
import type { Container, LifecycleHandler } from '../../../gen/kubernetes-types.ts'
import { runHook } from './lifecycle-hook.ts'
import type { ProbeTarget } from './probe.ts'

/** A hook may take as long as it likes; no timer is longer. */
const noTimeout = 2 ** 31 - 1

export class StartHook {
  #state: 'due' | 'running' | 'failed' | 'over' = 'due'
  #cancelled = false
  readonly #container: Container
  readonly #hook: LifecycleHandler

  constructor(container: Container, hook: LifecycleHandler) {
    this.#container = container
    this.#hook = hook
  }

  get isOver(): boolean {
    return this.#state === 'over'
  }

  /** Runs it, the first time this is called. */
  begin(target: ProbeTarget, ended: (problem: string | undefined) => void): void {
    if (this.#state !== 'due') return
    this.#state = 'running'
    void runHook(this.#hook, this.#container, target, noTimeout).then((problem) => {
      if (this.#cancelled) return
      this.#state = problem === undefined ? 'over' : 'failed'
      ended(problem)
    })
  }

  /** The run has ended, or another home will look after it. */
  cancel(): void {
    this.#cancelled = true
  }
}
