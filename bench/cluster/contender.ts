import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProcessRecord, signal, startProcess } from '../../scripts/real/processes.ts'
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
  /** False while it holds something back: it will write again, however silent it is. */
  isDone?(arena: Arena): Promise<boolean>
  /** What it has left outside the arena. */
  cleanUp?(): void
}

/** A folder for what it is built into, which goes when this process does. */
export function makeScratch(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `trainyard-bench-${name}-`))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const started: ProcessRecord[] = []
let hooked = false

/** Its process, which ends with this one at the latest. */
export function startContestant({ plane }: Arena, path: string, args: readonly string[]): ProcessRecord {
  if (!hooked) process.on('exit', () => started.forEach((record) => void signal(record, 'SIGKILL')))
  hooked = true
  const record = startProcess('operator', path, args, join(plane.dir, 'logs', 'operator.log'))
  started.push(record)
  return record
}
