import type { Issue } from '../issue.ts'
import type { RunMode } from '../types.ts'
import { warn } from './check-templates.ts'

/** Entries for types the job does not have: real manifests have them, so they are ignored. */
export function* checkRunMode(runMode: RunMode | undefined, types: readonly string[]): Generator<Issue> {
  for (const [mode, field, entries] of [
    ['debug', 'replicaSpecs', runMode?.debug?.replicaSpecs],
    ['pause', 'resumeSpecs', runMode?.pause?.resumeSpecs],
  ] as const)
    for (const [i, entry] of (entries ?? []).entries())
      if (!types.includes(entry.type))
        yield warn(
          ['spec', 'runMode', mode, field, i, 'type'],
          `the job has no replicas of type "${entry.type}", only ${types.join(', ')}; this entry is ignored`,
        )
}
