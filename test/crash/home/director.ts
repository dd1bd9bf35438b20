// Tells the programs of a round how to end, each some moment after it has started; deaf to what becomes of the home.
import { setTimeout as delay } from 'node:timers/promises'
import type { PlannedJob, PlannedReplica } from './jobs.ts'
import type { Ledger } from './ledger.ts'

const PACE = 10
const LONGEST_LIFE = 150

export class Director {
  /** Nobody is told to end while this is so. */
  holding = false
  readonly #ledger: Ledger
  readonly #jobs: readonly PlannedJob[]
  readonly #random: () => number
  readonly #told = new Set<string>()
  #over = false
  #running: Promise<void> | undefined

  constructor(ledger: Ledger, jobs: readonly PlannedJob[], random: () => number) {
    this.#ledger = ledger
    this.#jobs = jobs
    this.#random = random
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#over = true
    await this.#running
  }

  /** How many programs have started, and how many have been told to end and did. */
  get counts(): { started: number; ended: number } {
    const lives = this.#jobs.flatMap(({ replicas }) => replicas.flatMap(({ key }) => this.#ledger.livesOf(key)))
    return { started: lives.length, ended: lives.filter(({ ending }) => ending).length }
  }

  async #run(): Promise<void> {
    for (; !this.#over; await delay(PACE)) {
      if (this.holding) continue
      for (const { replicas } of this.#jobs) {
        const [master, ...workers] = replicas
        for (const worker of workers) this.#direct(worker, true)
        this.#direct(
          master!,
          workers.every((worker) => this.#isDone(worker)),
        )
      }
    }
  }

  #direct({ key, endings }: PlannedReplica, mayEndForGood: boolean): void {
    const life = this.#ledger.livesOf(key).at(-1)
    if (!life || life.ending || this.#told.has(`${key}#${life.attempt}`)) return
    const last = life.attempt >= endings.length
    if (last && !mayEndForGood) return
    this.#told.add(`${key}#${life.attempt}`)
    const ending = endings[Math.min(life.attempt, endings.length) - 1]!
    setTimeout(() => this.#ledger.tell(key, life.attempt, ending), this.#random() * LONGEST_LIFE)
  }

  #isDone({ key, endings }: PlannedReplica): boolean {
    const lives = this.#ledger.livesOf(key)
    return lives.length >= endings.length && lives.at(-1)?.ending !== undefined
  }
}
