import { sameJson } from '../../lib/json.ts'
import { valueAt } from '../object.ts'
import type { StatusCause } from '../status-error.ts'
import type { Hooks } from './built-in-table.ts'
import { forbiddenField, notSupported, required } from './field-errors.ts'

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

/** Holds a claim until nobody uses it any more. */
export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection'

export const claimHooks: Hooks = {
  defaults(object) {
    object.spec ??= {}
    const spec = object.spec as Record<string, unknown>
    spec.volumeMode ??= 'Filesystem'
  },
  prepare(next, old) {
    if (old) return
    next.status = { phase: 'Pending' }
    const { finalizers = [] } = next.metadata
    if (!finalizers.includes(CLAIM_PROTECTION)) next.metadata.finalizers = [...finalizers, CLAIM_PROTECTION]
  },
  validate(next, old) {
    const causes: StatusCause[] = []
    const spec = next.spec as Record<string, unknown>
    const modes = (spec.accessModes ?? []) as string[]
    if (modes.length === 0) causes.push(required('spec.accessModes', 'at least 1 access mode is required'))
    modes.forEach((mode) => {
      if (!MODES.includes(mode)) causes.push(notSupported('spec.accessModes', mode, MODES))
    })
    if (valueAt(spec, ['resources', 'requests', 'storage']) === undefined)
      causes.push(required('spec.resources[storage]'))
    if (old) causes.push(...checkUnchanged(spec, old.spec as Record<string, unknown>))
    return causes
  },
}

function checkUnchanged(next: Record<string, unknown>, old: Record<string, unknown>): StatusCause[] {
  const fixed = (spec: Record<string, unknown>): unknown => ({
    ...spec,
    resources: undefined,
    volumeAttributesClassName: undefined,
    volumeName: undefined,
  })
  if (sameJson(fixed(next), fixed(old))) return []
  return [
    forbiddenField(
      'spec',
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    ),
  ]
}
