import { sameJson } from '../../lib/json.ts'
import { valueAt } from '../object.ts'
import type { StatusCause } from '../status-error.ts'
import type { Hooks } from './built-in-table.ts'
import { forbiddenField, immutable, invalidValue } from './field-errors.ts'

export const nodeHooks: Hooks = {
  defaults(object) {
    object.spec ??= {}
    object.status ??= {}
  },
}

export const leaseHooks: Hooks = {
  defaults(object) {
    object.spec ??= {}
  },
  validate(next) {
    const causes: StatusCause[] = []
    for (const [field, least] of [
      ['leaseDurationSeconds', 1],
      ['leaseTransitions', 0],
    ] as const) {
      const value = valueAt(next, ['spec', field])
      if (typeof value === 'number' && value < least) {
        const must = least === 1 ? 'must be greater than 0' : 'must be greater than or equal to 0'
        causes.push(invalidValue(`spec.${field}`, value, must))
      }
    }
    return causes
  },
}

const SYSTEM_PRIORITY_LIMIT = 1_000_000_000

export const priorityClassHooks: Hooks = {
  defaults(object) {
    object.value ??= 0
    object.preemptionPolicy ??= 'PreemptLowerPriority'
  },
  validate(next, old) {
    const causes: StatusCause[] = []
    const value = next.value as number
    if (next.metadata.name.startsWith('system-')) {
      causes.push(
        forbiddenField('metadata.name', "priority class names with 'system-' prefix are reserved for system use only"),
      )
    }
    if (value > SYSTEM_PRIORITY_LIMIT) {
      causes.push(
        forbiddenField('value', `maximum allowed value of a user defined priority is ${SYSTEM_PRIORITY_LIMIT}`),
      )
    }
    if (old && !sameJson(old.value, value)) causes.push(forbiddenField('value', 'may not be changed in an update.'))
    if (old && !sameJson(old.preemptionPolicy, next.preemptionPolicy)) {
      causes.push(immutable('preemptionPolicy', next.preemptionPolicy))
    }
    return causes
  },
}
