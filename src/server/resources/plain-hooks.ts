import { sameJson } from '../../lib/json.ts'
import { valueAt } from '../object.ts'
import { emptyLikeGo } from '../schema/go-shape.ts'
import type { StatusCause } from '../status-error.ts'
import type { Hooks } from './built-in-table.ts'
import { forbiddenField, immutable, invalidValue, notSupported } from './field-errors.ts'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const NOT_READY = 'node.kubernetes.io/not-ready'

export const nodeHooks: Hooks = {
  defaults(object) {
    const status = object.status as { capacity?: unknown; allocatable?: unknown } | undefined
    if (status?.capacity) status.allocatable ??= status.capacity
  },
  prepare(next, old) {
    if (old) return
    next.status ??= emptyLikeGo('io.k8s.api.core.v1.Node').status
    // Until it has said that it is ready nobody is sent there.
    const spec = (next.spec ?? {}) as { taints?: Array<{ key: string; effect?: string }> }
    const taints = spec.taints ?? []
    if (!taints.some(({ key, effect }) => key === NOT_READY && effect === 'NoSchedule'))
      next.spec = { ...spec, taints: [...taints, { key: NOT_READY, effect: 'NoSchedule' }] }
  },
  validate(next) {
    const { taints = [] } = (next.spec ?? {}) as { taints?: Array<{ effect?: string }> }
    return taints.flatMap(({ effect = '' }, i) =>
      EFFECTS.includes(effect) ? [] : [notSupported(`metadata.taints[${i}].effect`, effect, EFFECTS)],
    )
  },
}

export const endpointsHooks: Hooks = {
  defaults(object) {
    for (const subset of (object.subsets ?? []) as Array<{ ports?: Array<{ protocol?: string }> }>) {
      for (const port of subset.ports ?? []) port.protocol ??= 'TCP'
    }
  },
  warn: () => ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
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
