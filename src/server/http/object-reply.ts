import type { ApiObject } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import { buildTable, partialMetadata } from '../table/table.ts'
import type { Exchange } from './exchange.ts'
import type { Accepted } from './negotiate.ts'
import type { Reply } from './respond.ts'

export const tableOptions = ({ target, api }: Exchange) => ({
  includeObject: target.query.get('includeObject') ?? 'Metadata',
  now: api.now(),
})

/** One object in the form the client asked for. */
export function objectReply(
  exchange: Exchange,
  resource: Pick<Resource, 'columns'>,
  object: ApiObject,
  accepted: Accepted,
  code: number,
  warnings: readonly string[],
): Reply {
  if (accepted.form === 'table') {
    const body = buildTable(
      resource,
      [object],
      { resourceVersion: object.metadata.resourceVersion },
      tableOptions(exchange),
    )
    return { code, body, yaml: accepted.yaml, warnings }
  }
  return { code, body: accepted.form === 'metadata' ? partialMetadata(object) : object, yaml: accepted.yaml, warnings }
}
