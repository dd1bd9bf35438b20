// The objects that our operator sends for a job of the race, for somebody else to send them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PLACEHOLDER_UID } from '../../src/core/plan.ts'
import { plan } from '../../src/main/library.ts'
import { NAMESPACE } from './arena.ts'
import type { Workload } from './workload.ts'

/** By the plural of the job's kind: texts in which the job's name and uid are yet to be put. */
export type PlannedObjects = Record<
  string,
  { placeholder: { name: string; uid: string }; objects: { path: 'pods' | 'services'; text: string }[] }
>

const NAME = 'name-of-the-job'

/** Into a file, whose name it returns. */
export function writePlans(folder: string, workloads: readonly Workload[]): string {
  const plans: PlannedObjects = {}
  for (const { resource, spec } of workloads) {
    const apiVersion = `${resource.group}/${resource.version}`
    const job = { apiVersion, kind: resource.kind, metadata: { name: NAME }, spec }
    const { objects } = plan(job, { namespace: NAMESPACE })
    plans[resource.plural] = {
      placeholder: { name: NAME, uid: PLACEHOLDER_UID },
      objects: objects.map((object) => ({
        path: object.kind === 'Pod' ? 'pods' : 'services',
        text: JSON.stringify(object),
      })),
    }
  }
  const file = join(folder, 'plans.json')
  writeFileSync(file, JSON.stringify(plans))
  return file
}
