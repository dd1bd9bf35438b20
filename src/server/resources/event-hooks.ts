import type { ApiObject } from '../object.ts'
import type { StatusCause } from '../status-error.ts'
import type { Hooks } from './built-in-table.ts'
import { invalidValue } from './field-errors.ts'

export const eventHooks: Hooks = {
  validate(next: ApiObject): StatusCause[] {
    const involved = (next.involvedObject ?? {}) as { namespace?: string }
    const expected = involved.namespace || 'default'
    if (next.metadata.namespace !== expected) {
      return [invalidValue('involvedObject.namespace', involved.namespace ?? '', 'does not match event.namespace')]
    }
    return []
  },
}
