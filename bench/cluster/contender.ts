import type { ProcessRecord } from '../../scripts/real/processes.ts'
import type { Arena } from './arena.ts'
import type { Workload } from './workload.ts'

/** Somebody who looks after training jobs. */
export interface Contender {
  name: string
  /** Programs of the cache that it consists of; see scripts/real/programs.ts. */
  programs: readonly string[]
  workloads: readonly Workload[]
  /** What the cluster must know before it starts. */
  install(arena: Arena): Promise<void>
  /** Resolves with its process when it is at work. */
  start(arena: Arena): Promise<ProcessRecord>
  /** What it has left outside the arena. */
  cleanUp?(): void
}
