// Limits as the kernel reads them, in groups of either version, and what it says when they were reached.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResourceRequirements } from '../../../gen/kubernetes-types.ts'
import { parseQuantity } from '../../api/quantity.ts'
import type { RunGroups } from './cgroups.ts'

export const limitedResources = ['cpu', 'memory'] as const
export type LimitedResource = (typeof limitedResources)[number]

/** Groups of version 1, one hierarchy each. */
export type ControllerGroups = Partial<Record<LimitedResource, string>>

const cpuPeriod = 100_000
/** The kernel takes no less; a kubelet too gives this much to whoever asks for less. */
const leastCpu = 1000n
const nano = 1_000_000_000n

/** Sets what the kernel can enforce here; returns the limits that it cannot. */
export function limitGroups(groups: RunGroups, limits: ResourceRequirements['limits'] = {}): string[] {
  return limitedResources
    .filter((resource) => limits[resource] !== undefined)
    .filter((resource) => !setLimit(groups, resource, limits[resource]!))
    .map((resource) => `${resource} ${limits[resource]}`)
}

/** The kernel has killed something in these groups for want of memory. */
export function ranOutOfMemory({ unified, memory }: RunGroups): boolean {
  const told = (directory: string | undefined, file: string): boolean =>
    directory !== undefined && /^oom_kill [1-9]/m.test(readIfThere(join(directory, file)))
  return told(unified, 'memory.events') || told(memory, 'memory.oom_control')
}

function setLimit(groups: RunGroups, resource: LimitedResource, quantity: number | string): boolean {
  const amount = parseQuantity(String(quantity))?.nano
  if (amount === undefined || amount <= 0n) return false
  const asked = (amount * BigInt(cpuPeriod)) / nano
  const share = asked < leastCpu ? leastCpu : asked
  const [current, former] =
    resource === 'memory'
      ? [{ 'memory.max': amount / nano }, { 'memory.limit_in_bytes': amount / nano }]
      : [{ 'cpu.max': `${share} ${cpuPeriod}` }, { 'cpu.cfs_period_us': cpuPeriod, 'cpu.cfs_quota_us': share }]
  return writeAll(groups.unified, current) || writeAll(groups[resource], former)
}

function writeAll(directory: string | undefined, files: Record<string, bigint | number | string>): boolean {
  if (directory === undefined) return false
  try {
    for (const [file, value] of Object.entries(files))
      writeFileSync(join(directory, file), String(value), { flag: 'r+' })
    return true
  } catch {
    return false
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
