import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessRecord } from '../../scripts/real/processes.ts'
import { cpuMs } from '../api/subject.ts'
import type { Arena } from './arena.ts'

export const cpuSeconds = (pids: readonly number[]): number => cpuMs(pids) / 1000

/** Resident memory of a process in MiB: as it is, and the most there has been. */
export function memoryOf({ pid }: ProcessRecord): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mib = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: mib('VmRSS'), peak: mib('VmHWM') }
}

/** CPU seconds so far of who serves a contender, by name; `stopwatch` is this process. */
export function cpuOfOthers({ plane }: Arena): Record<string, number> {
  const { records } = JSON.parse(readFileSync(join(plane.dir, 'processes.json'), 'utf8')) as {
    records: ProcessRecord[]
  }
  const parts = records.map(({ name, pid }) => [name, cpuSeconds([pid])])
  return Object.fromEntries([...parts, ['stopwatch', cpuSeconds([process.pid])]])
}
