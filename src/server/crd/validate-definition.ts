import { sameJson } from '../../lib/json.ts'
import { immutable, invalidValue, notSupported, required } from '../resources/field-errors.ts'
import { checkLabel1035, checkSubdomain } from '../resources/name-rules.ts'
import type { StatusCause } from '../status-error.ts'
import { compileJsonPath } from '../table/json-path.ts'
import type { Definition, DefinitionVersion } from './definition.ts'
import { isTrue } from './names.ts'
import { validateRoot } from './validate-schema.ts'

export function validateDefinition(definition: Definition, old?: Definition): StatusCause[] {
  const { spec, metadata } = definition
  const causes: StatusCause[] = []
  if (!spec) return [required('spec')]
  if (!spec.group) causes.push(required('spec.group'))
  else {
    for (const wrong of checkSubdomain(spec.group)) causes.push(invalidValue('spec.group', spec.group, wrong))
    if (!spec.group.includes('.'))
      causes.push(invalidValue('spec.group', spec.group, 'should be a domain with at least one dot'))
  }
  if (!['Cluster', 'Namespaced'].includes(spec.scope))
    causes.push(notSupported('spec.scope', spec.scope ?? '', ['Cluster', 'Namespaced']))
  causes.push(...validateNames(spec.names ?? {}))
  if (!old && metadata.name !== `${spec.names?.plural}.${spec.group}`) {
    causes.push(invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'))
  }
  causes.push(...validateConversion(spec.conversion))
  if (spec.preserveUnknownFields) {
    causes.push(
      invalidValue(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    )
  }
  const stored = definition.status?.storedVersions
  return [...causes, ...validateVersions(spec.versions ?? []), ...validateStored(spec.versions ?? [], stored)]
}

function validateStored(versions: readonly DefinitionVersion[], stored: readonly string[] | undefined): StatusCause[] {
  const field = 'status.storedVersions'
  if (!stored?.length) return [invalidValue(field, stored ?? null, 'must have at least one stored version')]
  const lacking = versions.filter((version) => version.storage && !stored.includes(version.name))
  const gone = stored.filter((name) => !versions.some((version) => version.name === name))
  return [
    ...lacking.map((version) => invalidValue(field, stored, `must have the storage version ${version.name}`)),
    ...gone.map((name) => invalidValue(`${field}[${stored.indexOf(name)}]`, name, goneText(name))),
  ]
}

const goneText = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`

/** Nobody converts here; what is asked for is refused as it would be without the means to it. */
function validateConversion(conversion: Definition['spec']['conversion']): StatusCause[] {
  const strategy = conversion?.strategy ?? 'None'
  const at = 'spec.conversion'
  if (strategy === 'None') return []
  if (strategy !== 'Webhook') return [notSupported(`${at}.strategy`, strategy, ['None', 'Webhook'])]
  if (conversion?.webhook?.clientConfig) return [notSupported(`${at}.strategy`, strategy, ['None'])]
  return [
    ...(conversion?.webhook?.conversionReviewVersions?.length ? [] : [required(`${at}.conversionReviewVersions`)]),
    required(`${at}.webhookClientConfig`, 'required when strategy is set to Webhook'),
  ]
}

/** A version as the apiserver quotes it; what all versions share is not told of each. */
const quoteVersion = (version: DefinitionVersion): Record<string, unknown> => ({
  Name: version.name,
  Served: version.served,
  Storage: version.storage,
  Deprecated: version.deprecated ?? false,
  DeprecationWarning: version.deprecationWarning ?? null,
  Schema: null,
  Subresources: null,
  AdditionalPrinterColumns: null,
  SelectableFields: null,
})

function validateNames(names: Partial<Definition['spec']['names']>): StatusCause[] {
  const causes: StatusCause[] = []
  const check = (field: string, value: string | undefined, mixed = false): void => {
    if (!value) causes.push(required(`spec.names.${field}`))
    else
      for (const wrong of checkLabel1035(mixed ? value.toLowerCase() : value))
        causes.push(invalidValue(`spec.names.${field}`, value, mixed ? `${MIXED}${wrong}` : wrong))
  }
  check('plural', names.plural)
  check('singular', names.singular)
  check('kind', names.kind, true)
  check('listKind', names.listKind, true)
  for (const [i, name] of names.shortNames?.entries() ?? []) check(`shortNames[${i}]`, name)
  for (const [i, name] of names.categories?.entries() ?? []) check(`categories[${i}]`, name)
  if (names.kind && names.kind === names.listKind)
    causes.push(invalidValue('spec.names.listKind', names.listKind, 'kind and listKind may not be the same'))
  return causes
}

const MIXED = 'may have mixed case, but should otherwise match: '

/** What all versions share is spoken of as the definition's own. */
function placeOf(
  versions: readonly DefinitionVersion[],
  field: keyof DefinitionVersion,
  own: string,
): (i: number) => string {
  const isShared = versions.every((version) => sameJson(version[field], versions[0]?.[field]))
  return isShared ? () => `spec.${own}` : (i) => `spec.versions[${i}].${field}`
}

function validateVersions(versions: readonly DefinitionVersion[]): StatusCause[] {
  const causes: StatusCause[] = []
  const schemaAt = placeOf(versions, 'schema', 'validation')
  const scaleAt = placeOf(versions, 'subresources', 'subresources')
  const columnsAt = placeOf(versions, 'additionalPrinterColumns', 'additionalPrinterColumns')
  const told = new Set<string>()
  const once = (cause: StatusCause): void => {
    const id = `${cause.field} ${cause.message}`
    if (!told.has(id)) causes.push(cause)
    told.add(id)
  }
  versions.forEach((version, i) => {
    for (const wrong of checkLabel1035(version.name ?? '')) {
      if (i === 0) causes.push(invalidValue('spec.version', version.name ?? '', wrong))
      causes.push(invalidValue(`spec.versions[${i}].name`, version.name ?? '', wrong))
    }
    const schema = version.schema?.openAPIV3Schema
    if (!schema) causes.push(required(`spec.versions[${i}].schema.openAPIV3Schema`))
    else for (const cause of validateRoot(schema, `${schemaAt(i)}.openAPIV3Schema`)) once(cause)
    const scale = version.subresources?.scale
    for (const field of ['specReplicasPath', 'statusReplicasPath'] as const)
      if (scale && !scale[field]) once(required(`${scaleAt(i)}.scale.${field}`))
    for (const cause of validateColumns(version, columnsAt(i))) once(cause)
  })
  if (new Set(versions.map((version) => version.name)).size < versions.length)
    causes.push(invalidValue('spec.versions', versions.map(quoteVersion), 'must contain unique version names'))
  if (versions.filter((version) => version.storage).length !== 1) {
    const why = 'must have exactly one version marked as storage version'
    causes.push(invalidValue('spec.versions', versions.map(quoteVersion), why))
  }
  return causes
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']

function validateColumns(version: DefinitionVersion, at: string): StatusCause[] {
  return (version.additionalPrinterColumns ?? []).flatMap(({ name, type, jsonPath }, i) => {
    const causes: StatusCause[] = []
    if (!name) causes.push(required(`${at}[${i}].name`))
    if (!type) causes.push(required(`${at}[${i}].type`, `must be one of ${COLUMN_TYPES.join(',')}`))
    else if (!COLUMN_TYPES.includes(type))
      causes.push(invalidValue(`${at}[${i}].type`, type, `must be one of ${COLUMN_TYPES.join(',')}`))
    if (!jsonPath) causes.push(required(`${at}[${i}].JSONPath`))
    else if (!jsonPath.startsWith('.') || !compileJsonPath(jsonPath))
      causes.push(invalidValue(`${at}[${i}].JSONPath`, jsonPath, 'must be a simple json path starting with .'))
    return causes
  })
}

export function validateDefinitionUpdate(next: Definition, old: Definition): StatusCause[] {
  const causes: StatusCause[] = []
  const { spec } = next
  // What names the objects in storage stays; the rest once the kind is served.
  if (isTrue(old, 'Established')) {
    if (spec.scope !== old.spec.scope) causes.push(immutable('spec.scope', spec.scope))
    if (spec.names.kind !== old.spec.names.kind) causes.push(immutable('spec.names.kind', spec.names.kind))
  }
  if (spec.group !== old.spec.group) causes.push(immutable('spec.group', spec.group))
  if (spec.names.plural !== old.spec.names.plural) causes.push(immutable('spec.names.plural', spec.names.plural))
  return causes
}
