import { statusCauses } from '../../api/schema/finding.ts'
import { interpret } from '../../api/schema/interpret.ts'
import { compileExpression } from '../../api/schema/rules.ts'
import type { Schema } from '../../api/schema/schema.ts'
import { forbiddenField, immutable, invalidValue, notSupported, required } from '../resources/field-errors.ts'
import { checkLabel1035, checkSubdomain } from '../resources/name-rules.ts'
import type { StatusCause } from '../status-error.ts'
import { compileJsonPath } from '../table/json-path.ts'
import type { Definition, DefinitionVersion } from './definition.ts'
import { isTrue } from './names.ts'

export function validateDefinition(definition: Definition): StatusCause[] {
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
  if (metadata.name !== `${spec.names?.plural}.${spec.group}`) {
    causes.push(invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'))
  }
  if (spec.conversion?.strategy && spec.conversion.strategy !== 'None') {
    causes.push(notSupported('spec.conversion.strategy', spec.conversion.strategy, ['None']))
  }
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
    ...gone.map((name) => invalidValue(`${field}[${stored.indexOf(name)}]`, name, GONE)),
  ]
}

const GONE =
  'missing from spec.versions; was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in that version and removes it from status.storedVersions'

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
  const check = (field: string, value: string | undefined): void => {
    if (!value) causes.push(required(`spec.names.${field}`))
    else
      for (const wrong of checkLabel1035(value.toLowerCase()))
        causes.push(invalidValue(`spec.names.${field}`, value, wrong))
  }
  check('plural', names.plural)
  check('singular', names.singular)
  check('kind', names.kind)
  check('listKind', names.listKind)
  names.shortNames?.forEach((name, i) => {
    for (const wrong of checkLabel1035(name)) causes.push(invalidValue(`spec.names.shortNames[${i}]`, name, wrong))
  })
  names.categories?.forEach((name, i) => {
    for (const wrong of checkLabel1035(name)) causes.push(invalidValue(`spec.names.categories[${i}]`, name, wrong))
  })
  return causes
}

function validateVersions(versions: readonly DefinitionVersion[]): StatusCause[] {
  const causes: StatusCause[] = []
  const seen = new Set<string>()
  // A schema that all versions share is spoken of as the definition's own.
  const isOnly = new Set(versions.map((version) => JSON.stringify(version.schema))).size === 1
  versions.forEach((version, i) => {
    const at = `spec.versions[${i}]`
    for (const wrong of checkLabel1035(version.name ?? ''))
      causes.push(invalidValue(`${at}.name`, version.name ?? '', wrong))
    if (seen.has(version.name))
      causes.push(invalidValue(`${at}.name`, version.name, 'must contain unique version names'))
    seen.add(version.name)
    const schema = version.schema?.openAPIV3Schema
    if (!schema) causes.push(required(`${at}.schema.openAPIV3Schema`))
    else
      causes.push(...validateRoot(schema, isOnly ? 'spec.validation.openAPIV3Schema' : `${at}.schema.openAPIV3Schema`))
    version.additionalPrinterColumns?.forEach((column, j) => {
      if (!compileJsonPath(column.jsonPath ?? '')) {
        causes.push(
          invalidValue(`${at}.additionalPrinterColumns[${j}].jsonPath`, column.jsonPath ?? '', 'is an invalid path'),
        )
      }
    })
  })
  if (versions.filter((version) => version.storage).length !== 1) {
    causes.push(
      invalidValue(
        'spec.versions',
        versions.map(quoteVersion),
        'must have exactly one version marked as storage version',
      ),
    )
  }
  return causes
}

function validateRoot(schema: Schema, at: string): StatusCause[] {
  const causes: StatusCause[] = []
  if (!schema.type) causes.push(required(`${at}.type`, 'must not be empty at the root'))
  else if (schema.type !== 'object') causes.push(invalidValue(`${at}.type`, schema.type, 'must be object at the root'))
  validateSchema(schema, at, causes, true)
  return causes
}

/** What makes a schema structural, and rules that can be compiled. */
function validateSchema(schema: Schema, at: string, causes: StatusCause[], root = false): void {
  const exempt = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']
  if (!root && !schema.type && !exempt)
    causes.push(required(`${at}.type`, 'must not be empty for specified object fields'))
  if (schema.properties && schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    causes.push(
      forbiddenField(`${at}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    )
  }
  const listType = schema['x-kubernetes-list-type']
  if (listType === 'map' && !schema['x-kubernetes-list-map-keys']?.length)
    causes.push(required(`${at}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'))
  if (schema.type === 'array' && !schema.items) causes.push(required(`${at}.items`, 'must be specified'))
  schema['x-kubernetes-validations']?.forEach((rule, i) => {
    const here = `${at}.x-kubernetes-validations[${i}].rule`
    if (!rule.rule?.trim()) causes.push(required(here, 'rule is not specified'))
    else if (!compiles(rule)) causes.push(invalidValue(here, rule.rule, 'compilation failed'))
  })
  if (schema.default !== undefined) {
    const { default: value, ...bare } = schema
    const { findings } = interpret(bare, value, { root: false, asServer: true })
    for (const cause of statusCauses(findings)) {
      const below = cause.field === '<nil>' ? '' : `.${cause.field}`
      causes.push({ ...cause, field: `${at}.default${below}` })
    }
  }
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    validateSchema(child, `${at}.properties[${name}]`, causes)
  if (schema.items) validateSchema(schema.items, `${at}.items`, causes)
  if (typeof schema.additionalProperties === 'object')
    validateSchema(schema.additionalProperties, `${at}.additionalProperties`, causes)
}

function compiles(rule: NonNullable<Schema['x-kubernetes-validations']>[number]): boolean {
  try {
    compileExpression(rule.rule)
    if (rule.messageExpression) compileExpression(rule.messageExpression)
    return true
  } catch {
    return false
  }
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
