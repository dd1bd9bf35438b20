import { kindOf } from '../../src/api/kinds.ts'
import { type StatusCause, statusCauses } from '../../src/api/schema/finding.ts'
import { interpret } from '../../src/api/schema/interpret.ts'
import type { Row } from './rows/row.ts'

/** The causes src/api refuses a row for, in the apiserver's form; none: accepted. */
export function judge(row: Row): StatusCause[] {
  const schema = kindOf(row.object.apiVersion, row.object.kind)!.version.schema
  const old = row.old && interpret(schema, row.old).value
  return statusCauses(interpret(schema, row.object, { old, asServer: true }).findings)
}
