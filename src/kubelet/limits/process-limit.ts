// How many processes and threads a pod may have: without a bound, one that forks without end takes the machine down.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Cgroups, RunGroups } from './cgroups.ts'

/** Far beyond what training needs: a thousand threads each in sixteen processes. */
const usual = 16_384
const limitFile = 'pids.max'
const eventsFile = 'pids.events'

/** What a pod may have unless somebody says otherwise: never more than half of what the machine can have. */
export function usualProcessLimit(): number {
  const bounds = ['/proc/sys/kernel/pid_max', '/proc/sys/kernel/threads-max'].map((file) => Number(readIfThere(file)))
  return Math.min(usual, ...bounds.filter((bound) => bound > 1).map((bound) => Math.floor(bound / 2)))
}

/** Bounds the pod to which the groups of a run belong; false where the kernel does not let us. */
export function limitProcesses(groups: RunGroups, most: number): boolean {
  return podsOf(groups).some((pod) => {
    try {
      writeFileSync(join(pod, limitFile), String(most), { flag: 'r+' })
      return true
    } catch {
      return false
    }
  })
}

/** Tried on a pod that there is not. */
export function canLimitProcesses(cgroups: Cgroups | undefined): boolean {
  if (!cgroups) return false
  try {
    return limitProcesses(cgroups.make('probe', 'probe', 1, []), usual)
  } finally {
    cgroups.close()
  }
}

/** Something in these groups was refused a process. Kernels differ in where they count it. */
export function ranOutOfProcesses(groups: RunGroups): boolean {
  const places = [groups.pids, groups.unified].filter((group) => group !== undefined)
  return [...places, ...podsOf(groups)].some((group) => /^max [1-9]/m.test(readIfThere(join(group, eventsFile))))
}

function podsOf({ pids, unified }: RunGroups): string[] {
  return [unified, pids].filter((group) => group !== undefined).map((group) => dirname(group))
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
