import { statusCauses } from '../../api/schema/finding.ts'
import { interpret } from '../../api/schema/interpret.ts'
import { compileExpression } from '../../api/schema/rules.ts'
import type { Schema } from '../../api/schema/schema.ts'
import { forbiddenField, invalidValue, notSupported, required } from '../resources/field-errors.ts'
import type { StatusCause } from '../status-error.ts'

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']

export function validateRoot(schema: Schema, at: string): StatusCause[] {
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
  if (schema.type && !TYPES.includes(schema.type)) causes.push(notSupported(`${at}.type`, schema.type, TYPES))
  const wrongPattern = schema.pattern === undefined ? undefined : patternProblem(schema.pattern)
  if (wrongPattern) {
    const why = `must be a valid regular expression, but isn't: error parsing regexp: ${wrongPattern}`
    causes.push(invalidValue(`${at}.pattern`, schema.pattern, why))
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

/** Why a pattern is none, as Go's parser puts it. Constructs that only one of the two knows are let through. */
function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern)
    return undefined
  } catch (error) {
    const { message } = error as Error
    if (/Unterminated group/.test(message)) return `missing closing ): \`${pattern}\``
    if (/Unmatched '\)'/.test(message)) return `unexpected ): \`${pattern}\``
    if (/Unterminated character class/.test(message))
      return `missing closing ]: \`${pattern.slice(pattern.indexOf('['))}\``
    if (/Nothing to repeat/.test(message))
      return `missing argument to repetition operator: \`${/[*+?]+/.exec(pattern)?.[0] ?? pattern}\``
    return undefined
  }
}
