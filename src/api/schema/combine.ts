// allOf, anyOf, oneOf and not only judge; they neither drop nor default.
import { isObject } from '../../lib/json.ts'
import type { Path } from '../issue.ts'
import { causeText, dotted, type Finding, shapeError } from './finding.ts'
import type { Schema } from './schema.ts'

export interface Combined {
  value: unknown
  path: Path
  /** Tell also what the nearest alternative lacked, as the apiserver does; otherwise the refusal as a whole. */
  inDetail: boolean
  /** What the value lacks by one of the combined schemas. */
  judge: (part: Schema) => Finding[]
}

export function* checkCombined(schema: Schema, combined: Combined): Generator<Finding> {
  const { path, judge, inDetail } = combined
  const refuse = (message: string, detail: string): Finding => ({
    ...shapeError(
      path,
      message,
      'FieldValueInvalid',
      causeText('FieldValueInvalid', `"${dotted(path)}" must ${detail}`, ''),
    ),
    // The apiserver says where only in words.
    field: '<nil>',
  })
  if (schema.anyOf) {
    const lacking = schema.anyOf.map(judge)
    if (lacking.every((findings) => findings.length > 0)) {
      yield refuse('fits none of the allowed forms', 'validate at least one schema (anyOf)')
      if (inDetail) yield* nearestOf(schema.anyOf, lacking, combined.value)
    }
  }
  if (schema.oneOf) {
    const lacking = schema.oneOf.map(judge)
    const fitting = lacking.filter((findings) => findings.length === 0).length
    if (fitting !== 1) {
      const found = fitting === 0 ? 'Found none valid' : `Found ${fitting} valid alternatives`
      yield refuse('must fit exactly one of the allowed forms', `validate one and only one schema (oneOf). ${found}`)
      if (inDetail && fitting === 0) yield* nearestOf(schema.oneOf, lacking, combined.value)
    }
  }
  const parts = (schema.allOf ?? []).map(judge)
  yield* parts.flat()
  const wrong = parts.filter((findings) => findings.length > 0).length
  if (inDetail && wrong > 0) {
    const none = wrong === parts.length ? '. None validated' : ''
    yield refuse('does not fit all that is asked of it', `validate all the schemas (allOf)${none}`)
  }
  if (schema.not && judge(schema.not).length === 0)
    yield refuse('has a form that is not allowed', 'not validate the schema (not)')
}

/** What is told is what the alternative lacked that looked at most of the value. */
function nearestOf(parts: readonly Schema[], lacking: readonly Finding[][], value: unknown): Finding[] {
  const reach = parts.map((part) => countLooks(part, value))
  return lacking[reach.indexOf(Math.max(...reach))] ?? []
}

function countLooks(schema: Schema, value: unknown): number {
  let looks = 1
  if (isObject(value)) {
    for (const [key, child] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, key)) looks += countLooks(child, value[key])
  } else if (Array.isArray(value) && schema.items) {
    for (const item of value) looks += countLooks(schema.items, item)
  }
  return looks
}
