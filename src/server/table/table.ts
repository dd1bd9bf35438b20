import type { ApiObject } from '../object.ts'
import type { Column, Resource } from '../resources/resource.ts'

export interface TableOptions {
  /** None, Metadata (default) or Object: how much of each object comes with its row. */
  includeObject: string
  now: number
}

const definitionOf = (column: Column): Record<string, unknown> => ({
  name: column.name,
  type: column.type,
  format: column.format ?? '',
  description: column.description ?? '',
  priority: column.priority ?? 0,
})

/** What `kubectl get` asks for: the server decides on columns, the client on layout. */
export function buildTable(
  resource: Pick<Resource, 'columns'>,
  objects: readonly ApiObject[],
  metadata: Record<string, unknown>,
  options: TableOptions,
  withColumns = true,
): Record<string, unknown> {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withColumns ? resource.columns.map(definitionOf) : null,
    rows: objects.map((object) => ({
      cells: resource.columns.map((column) => column.value(object, options.now)),
      object: rowObject(object, options.includeObject),
    })),
  }
}

function rowObject(object: ApiObject, include: string): unknown {
  if (include === 'None') return null
  return include === 'Object' ? object : partialMetadata(object)
}

export function partialMetadata(object: ApiObject): Record<string, unknown> {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }
}
