// Every pod that was created, and what became of it, by replica.
import type { Instant } from '../lib/time.ts'
import { hasEnded } from './pod-status.ts'
import type { Change, SimulatedPod } from './simulated-api.ts'

export interface Attempt {
  uid: string
  createdAt: Instant
  startedAt: Instant | null
  endedAt: Instant | null
  /** The last one it had; decided by the training container once that has ended. */
  phase: string
  exitCode: number | null
}

export class Attempts {
  readonly #byReplica = new Map<string, Attempt[]>()
  readonly #replicaOf: (podName: string) => string | undefined
  readonly #trainingContainerOf: (pod: SimulatedPod) => string
  readonly #now: () => Instant

  constructor(
    now: () => Instant,
    replicaOf: (podName: string) => string | undefined,
    trainingContainerOf: (pod: SimulatedPod) => string,
  ) {
    this.#now = now
    this.#replicaOf = replicaOf
    this.#trainingContainerOf = trainingContainerOf
  }

  of(replica: string): Attempt[] {
    return this.#byReplica.get(replica) ?? []
  }

  replicas(): string[] {
    return [...this.#byReplica.keys()]
  }

  hear({ kind, before, after }: Change): void {
    const pod = (after ?? before) as SimulatedPod | undefined
    const replica = kind === 'Pod' ? this.#replicaOf(pod!.metadata.name!) : undefined
    if (replica === undefined || !pod) return
    const attempts = this.of(replica)
    this.#byReplica.set(replica, attempts)
    let attempt = attempts.at(-1)
    if (!attempt || attempt.uid !== pod.metadata.uid) {
      attempt = {
        uid: pod.metadata.uid!,
        createdAt: this.#now(),
        startedAt: null,
        endedAt: null,
        phase: 'Pending',
        exitCode: null,
      }
      attempts.push(attempt)
    }
    this.#note(attempt, pod)
    if (!after) attempt.endedAt ??= this.#now()
  }

  #note(attempt: Attempt, pod: SimulatedPod): void {
    const name = this.#trainingContainerOf(pod)
    const state = pod.status?.containerStatuses?.find((status) => status.name === name)?.state
    if (state?.running) attempt.startedAt ??= this.#now()
    const ended = state?.terminated
    if (ended) attempt.exitCode = ended.exitCode
    if (attempt.endedAt === null) {
      attempt.phase = pod.status?.phase ?? attempt.phase
      if (ended && !hasEnded(pod)) attempt.phase = ended.exitCode === 0 ? 'Succeeded' : 'Failed'
      if (ended || hasEnded(pod)) attempt.endedAt = this.#now()
    }
  }
}
