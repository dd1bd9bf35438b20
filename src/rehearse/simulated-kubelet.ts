// Runs pods as the script says: so long from creation to placement, from placement to start, from start to exit.

import type { EventQueue } from './event-queue.ts'
import { exited, hasEnded, running } from './pod-status.ts'
import type { PlayedBehaviour } from './script.ts'
import type { Change, SimulatedApi, SimulatedPod } from './simulated-api.ts'
import type { SimulatedScheduler } from './simulated-scheduler.ts'

/** At one instant pods start before the script interferes, and what it says wins over an ordinary exit. */
export const TURNS = { consider: 0, start: 1, script: 2, exit: 3 }

export class SimulatedKubelet {
  readonly #api: SimulatedApi
  readonly #queue: EventQueue
  readonly #scheduler: SimulatedScheduler
  readonly #behaviourOf: (podName: string) => PlayedBehaviour
  readonly #trainingContainerOf: (pod: SimulatedPod) => string

  constructor(
    api: SimulatedApi,
    queue: EventQueue,
    scheduler: SimulatedScheduler,
    behaviourOf: (podName: string) => PlayedBehaviour,
    trainingContainerOf: (pod: SimulatedPod) => string,
  ) {
    this.#api = api
    this.#queue = queue
    this.#scheduler = scheduler
    this.#behaviourOf = behaviourOf
    this.#trainingContainerOf = trainingContainerOf
    api.onChange((change) => this.#hear(change))
  }

  /** Pods that have just been placed will start. */
  expectStart(podNames: readonly string[]): void {
    for (const name of podNames) {
      this.#later(name, this.#behaviourOf(name).startAfter, TURNS.start, (pod) => this.#start(pod))
    }
  }

  #hear({ kind, before, after }: Change): void {
    if (kind !== 'Pod' || before || !after) return
    const name = after.metadata.name!
    this.#later(name, this.#behaviourOf(name).scheduleAfter, TURNS.consider, (pod) => this.#scheduler.consider(pod))
  }

  #start(pod: SimulatedPod): void {
    const name = pod.metadata.name!
    const { exitAfter, exitCode } = this.#behaviourOf(name)
    this.#api.update('Pod', name, (old: SimulatedPod) => ({ ...old, status: running(old, this.#api.now) }))
    this.#later(name, exitAfter, TURNS.exit, (current) => {
      const container = this.#trainingContainerOf(current)
      const status = exited(current, container, exitCode, this.#api.now)
      this.#api.update('Pod', name, (old) => ({ ...old, status }))
    })
  }

  /** Does it unless the pod is gone, has ended or lies on a lost node by then. */
  #later(name: string, after: number, turn: number, act: (pod: SimulatedPod) => void): void {
    const uid = this.#api.pod(name)?.metadata.uid
    const happen = (): void => {
      const pod = this.#api.pod(name)
      if (!pod || pod.metadata.uid !== uid || pod.metadata.deletionTimestamp || hasEnded(pod)) return
      act(pod)
    }
    this.#queue.put({ at: this.#api.now + after, turn, happen })
  }
}
