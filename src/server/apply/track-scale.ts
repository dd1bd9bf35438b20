import type { ApiObject } from '../object.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'
import { FieldSet } from './field-set.ts'
import { type Manager, readManagers, sameManager, writeManagers } from './managed-fields.ts'
import { conflictError } from './track.ts'

export interface Scaling {
  manager: string
  operation: 'Apply' | 'Update'
  force: boolean
  /** Where the kind keeps its number of replicas. */
  path: readonly string[]
  changes: boolean
}

const SEEN_THROUGH_SCALE = 'autoscaling/v1'

/** Through scale one owns the number of replicas and nothing else; whoever owned it before has lost it. */
export function trackScale(resource: Resource, live: ApiObject, next: ApiObject, scaling: Scaling): void {
  const replicas = new FieldSet()
  replicas.add(scaling.path.map((step) => `f:${step}`))
  const managers = readManagers(live)
  const entry: Manager['entry'] = {
    manager: scaling.manager,
    operation: scaling.operation,
    apiVersion: groupVersion(resource),
    subresource: 'scale',
  }
  const others = managers.filter((m) => !sameManager(m.entry, entry))
  const owners = others.filter((m) => !m.fields.and(replicas).isEmpty)
  if (scaling.operation === 'Apply' && scaling.changes && owners.length > 0 && !scaling.force) {
    const shown = new FieldSet()
    shown.add(['f:spec', 'f:replicas'])
    throw conflictError(
      owners.map((m) => ({ manager: { ...m, entry: { ...m.entry, apiVersion: SEEN_THROUGH_SCALE } }, fields: shown })),
    )
  }
  // An update takes the number over even where it leaves it as it is.
  const takes = scaling.changes || scaling.operation === 'Update'
  const left = takes ? others.map((m) => ({ ...m, fields: m.fields.minus(replicas) })) : others
  const own = managers.find((m) => sameManager(m.entry, entry))
  writeManagers(next, [...left, own ?? { entry, fields: replicas }])
}
