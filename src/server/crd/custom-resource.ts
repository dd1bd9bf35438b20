import { statusCauses, unknownFieldWarnings } from '../../api/schema/finding.ts'
import { interpret } from '../../api/schema/interpret.ts'
import type { Schema } from '../../api/schema/schema.ts'
import { isObject } from '../../lib/json.ts'
import { type ApiObject, valueAt } from '../object.ts'
import { invalidValue } from '../resources/field-errors.ts'
import { checkSubdomain } from '../resources/name-rules.ts'
import { ALL_VERBS, type Column, type Decoded, type Resource, type ScalePaths } from '../resources/resource.ts'
import { DecodeError, decodeBuiltIn, undecodable } from '../schema/decode-built-in.ts'
import { kubernetesSchema, OBJECT_META, type TypedSchema } from '../schema/kubernetes-schemas.ts'
import { badRequest, type StatusCause } from '../status-error.ts'
import { plain, printedDate } from '../table/built-in-columns.ts'
import { compileJsonPath } from '../table/json-path.ts'
import type { Definition, DefinitionVersion, PrinterColumn } from './definition.ts'
import { coerceEmbedded } from './embedded-resource.ts'

/** The rows a definition adds to the table: one per served version. */
export function buildCustomResources(definition: Definition, revision: number): Resource[] {
  return definition.spec.versions
    .filter((version) => version.served)
    .map((version) => buildVersion(definition, version, revision))
}

function buildVersion(definition: Definition, version: DefinitionVersion, revision: number): Resource {
  const { spec } = definition
  const { group } = spec
  const names = definition.status?.acceptedNames ?? spec.names
  const schema: Schema = version.schema?.openAPIV3Schema ?? {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  }
  const scale = version.subresources?.scale
  return {
    group,
    version: version.name,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    namespaced: spec.scope === 'Namespaced',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: ALL_VERBS,
    storageKey: `${group}/${names.plural}`,
    storageVersion: spec.versions.find((v) => v.storage)?.name ?? version.name,
    schema: withMetadata(schema),
    definition: definitionName(group, version.name, names.kind),
    custom: true,
    statusSubresource: version.subresources?.status !== undefined,
    ...(scale ? { scale: scalePaths(scale) } : {}),
    subresources: [],
    terminating: definition.metadata.deletionTimestamp !== undefined,
    generation: true,
    unconditionalUpdate: false,
    selectableFields: Object.fromEntries(
      (version.selectableFields ?? []).map(({ jsonPath }) => [jsonPath.replace(/^\./, ''), splitPath(jsonPath)]),
    ),
    columns: version.additionalPrinterColumns
      ? [plain[0] as Column, ...version.additionalPrinterColumns.map(buildColumn)]
      : [plain[0] as Column, buildColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })],
    schemaRevision: revision,
    checkName: checkSubdomain,
    decode: (raw, old) => decodeCustom(schema, names.kind, version.name, raw, old),
    ...(scale ? { validate: (next) => validateScale(scale, next) } : {}),
    ...(version.deprecated
      ? { deprecation: version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated` }
      : {}),
  }
}

const MOST_REPLICAS = 2 ** 31 - 1

/** The numbers that scale shows must be numbers of replicas, whoever writes them. */
function validateScale(
  scale: { specReplicasPath: string; statusReplicasPath: string },
  object: ApiObject,
): StatusCause[] {
  return [scale.specReplicasPath, scale.statusReplicasPath].flatMap((path) => {
    const value = valueAt(object, splitPath(path))
    if (typeof value !== 'number') return []
    if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')]
    return value > MOST_REPLICAS ? [invalidValue(path, value, `should be less than or equal to ${MOST_REPLICAS}`)] : []
  })
}

/** `com.example.stable.v1.CronTab`: the group backwards, as OpenAPI names it. */
const definitionName = (group: string, version: string, kind: string): string =>
  [...group.split('.').reverse(), version, kind].join('.')

const splitPath = (jsonPath: string): string[] => jsonPath.split('.').filter((step) => step !== '')

function scalePaths(scale: {
  specReplicasPath: string
  statusReplicasPath: string
  labelSelectorPath?: string
}): ScalePaths {
  return {
    specReplicas: splitPath(scale.specReplicasPath),
    statusReplicas: splitPath(scale.statusReplicasPath),
    labelSelector: scale.labelSelectorPath ? splitPath(scale.labelSelectorPath) : undefined,
  }
}

/** For ownership and OpenAPI the metadata of a custom object is that of any other. */
function withMetadata(schema: Schema): TypedSchema {
  const properties = { ...schema.properties, apiVersion: { type: 'string' }, kind: { type: 'string' } } as Record<
    string,
    TypedSchema
  >
  return { ...schema, properties: { ...properties, metadata: kubernetesSchema(OBJECT_META) } } as TypedSchema
}

function decodeCustom(
  schema: Schema,
  kind: string,
  version: string,
  raw: Record<string, unknown>,
  old: ApiObject | undefined,
): Decoded {
  const { metadata: rawMetadata, ...rest } = raw
  if (rawMetadata !== undefined && !isObject(rawMetadata))
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: metadata must be an object`)
  const metadata = decodeMetadata(rawMetadata ?? {}, kind, version)
  const { metadata: _metadata, ...oldRest } = old ?? {}
  // Rules on the root may look at the name, so metadata is there while the schema is applied.
  const { value, findings, excused } = interpret(
    schema,
    { ...rest, metadata: metadata.object },
    { asServer: true, ...(old ? { old: { ...oldRest, metadata: old.metadata } } : {}) },
  )
  const embedded = coerceEmbedded(schema, value)
  const object = { ...(embedded.value as Record<string, unknown>), metadata: metadata.object }
  const unknown = unknownFieldWarnings(findings).map((text) => text.replace(/^unknown field "(.*)"$/, '$1'))
  return {
    object,
    unknown: [...unknown, ...embedded.unknown, ...metadata.unknown.map((field) => `metadata.${field}`)].sort(),
    causes: [...statusCauses(findings), ...embedded.causes],
    warnings: excused.map((finding) => `${finding.field}: ${finding.cause}`),
  }
}

function decodeMetadata(
  metadata: Record<string, unknown>,
  kind: string,
  version: string,
): { object: Record<string, unknown>; unknown: string[] } {
  try {
    return decodeBuiltIn(kubernetesSchema(OBJECT_META), metadata)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw undecodable(kind, version, error)
  }
}

function buildColumn(column: PrinterColumn): Column {
  const path = compileJsonPath(column.jsonPath)
  return {
    name: column.name,
    type: column.type,
    ...(column.format ? { format: column.format } : {}),
    ...(column.description ? { description: column.description } : {}),
    priority: column.priority ?? 0,
    value: (object, now) => {
      const [value] = path?.(object) ?? []
      if (value === undefined) return null
      if (column.type === 'date') return printedDate(value, now) ?? null
      return typeof value === 'object' ? JSON.stringify(value) : value
    },
  }
}
