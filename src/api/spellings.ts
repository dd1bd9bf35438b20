// The spellings users bring. Objects are stored as written; whoever reads them asks here.
import type { GenericJobSpec, GenericReplicaSpec, SchedulerPolicy, Switch } from './types.ts'

export function isOn(value: Switch | undefined): boolean {
  return value?.enabled ?? value?.enable ?? false
}

/** Turned on or off in the spelling it is written in; where both are written, in both, since they may not differ. */
export function switchTo(value: Switch | undefined, on: boolean): Switch {
  const written = (['enable', 'enabled'] as const).filter((spelling) => value?.[spelling] !== undefined)
  return Object.fromEntries((written.length > 0 ? written : ['enable']).map((spelling) => [spelling, on]))
}

export function queueOf(scheduler: SchedulerPolicy | undefined): string | undefined {
  return scheduler?.t9kScheduler?.queue ?? scheduler?.t9kScheduler?.Queue
}

export function replicaSpecsOf(spec: GenericJobSpec): GenericReplicaSpec[] {
  return spec.replicaSpecs ?? spec.replicasSpec ?? []
}

export type CleanUpPolicy = 'All' | 'Unfinished' | 'None'

/** Any casing; what the schema did not let through counts as None. */
export function cleanUpPolicyOf(text: string | undefined): CleanUpPolicy {
  const policies: Record<string, CleanUpPolicy> = { all: 'All', unfinished: 'Unfinished', none: 'None' }
  return policies[(text ?? '').toLowerCase()] ?? 'None'
}

/** `subPath` of a TensorBoard's volume may be a string or a list, in either casing. */
export function subPathsOf(volume: { subPath?: string | string[]; subpath?: string | string[] }): string[] {
  const value = volume.subPath ?? volume.subpath ?? []
  return typeof value === 'string' ? [value] : value
}
