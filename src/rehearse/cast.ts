// The replicas a script may speak of: those of the job, an elastic job's up to its maximum, and those a patch of the
// script brings.
import type { TrainingJob } from '../api/types.ts'
import type { JobModel } from '../core/job-model.ts'
import { read } from '../core/read.ts'
import { isObject } from '../lib/json.ts'
import { mergePatch } from './merge-patch.ts'

export interface Cast {
  /** Why there is no such replica, in words; undefined if there is. */
  missing(replica: string): string | undefined
  containersOf(replica: string): string[]
  example: string
}

interface Part {
  replicas: number
  containers: string[]
}

const MOST_PATCHES = 100

export function castOf(job: TrainingJob, script: unknown): Cast {
  const parts = new Map<string, Part>()
  let version: unknown = job
  for (const patch of [{}, ...patchesOf(script)]) {
    version = mergePatch(version, patch)
    try {
      addRoles(parts, read(version as TrainingJob))
    } catch {
      // Not a job at all: the rules will say so, of the manifest or of the patch when its time comes.
      break
    }
  }
  const partOf = (replica: string): { part: Part; index: number } | undefined => {
    const match = /^(.+)-(0|[1-9]\d{0,6})$/.exec(replica)
    const part = match && parts.get(match[1]!)
    return part ? { part, index: Number(match![2]) } : undefined
  }
  return {
    missing(replica) {
      const found = partOf(replica)
      if (parts.size === 0 || (found && found.index < found.part.replicas)) return undefined
      return `the job has no ${replica.slice(0, 80)}, only ${listOf(parts)}`
    },
    containersOf: (replica) => partOf(replica)?.part.containers ?? [],
    example: `${parts.keys().next().value ?? 'worker'}-0`,
  }
}

function addRoles(parts: Map<string, Part>, model: JobModel): void {
  for (const role of model.roles) {
    const most = Math.max(role.replicas, model.elastic?.max ?? 0, parts.get(role.type)?.replicas ?? 0)
    const containers = (role.template?.spec?.containers ?? []).map((container) => container.name)
    parts.set(role.type, { replicas: most, containers })
  }
}

function patchesOf(script: unknown): unknown[] {
  if (!isObject(script) || !Array.isArray(script.events)) return []
  const patches = script.events.flatMap((event) => (isObject(event) && isObject(event.patch) ? [event.patch] : []))
  return patches.slice(0, MOST_PATCHES)
}

/** `master-0, worker-{0..2}` */
function listOf(parts: ReadonlyMap<string, Part>): string {
  return [...parts].map(([type, { replicas }]) => `${type}-${replicas === 1 ? 0 : `{0..${replicas - 1}}`}`).join(', ')
}
