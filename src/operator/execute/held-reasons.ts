import type { Reason } from '../../core/decision.ts'

/**
 * Reasons that are told when the phase they speak of is stored. A phase that was over before it was worth a write is not
 * worth an event either.
 */
export class HeldReasons {
  #held: Reason[] = []

  /** The status of this phase is stored: those to tell now. */
  release(reasons: readonly Reason[], phase: Reason['phase']): Reason[] {
    this.hold(reasons)
    const due = this.#held.filter((reason) => reason.phase === phase)
    this.#held = []
    return due
  }

  hold(reasons: readonly Reason[]): void {
    for (const reason of reasons) {
      if (!this.#held.some(({ event }) => event === reason.event)) this.#held.push(reason)
    }
  }
}
