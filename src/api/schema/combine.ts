// allOf, anyOf, oneOf and not only judge; they neither drop nor default.
import type { Path } from '../issue.ts'
import { causeText, dotted, type Finding, shapeError } from './finding.ts'
import type { Schema } from './schema.ts'

/** `judge` tells what a value lacks by one of the combined schemas. */
export function* checkCombined(schema: Schema, path: Path, judge: (part: Schema) => Finding[]): Generator<Finding> {
  for (const part of schema.allOf ?? []) yield* judge(part)
  const fits = (part: Schema): boolean => judge(part).length === 0
  const refuse = (message: string, detail: string): Finding =>
    shapeError(
      path,
      message,
      'FieldValueInvalid',
      causeText('FieldValueInvalid', `"${dotted(path)}" must ${detail}`, ''),
    )
  if (schema.anyOf && !schema.anyOf.some(fits))
    yield refuse('fits none of the allowed forms', 'validate at least one schema (anyOf)')
  if (schema.oneOf && schema.oneOf.filter(fits).length !== 1)
    yield refuse('must fit exactly one of the allowed forms', 'validate one and only one schema (oneOf)')
  if (schema.not && fits(schema.not)) yield refuse('has a form that is not allowed', 'not validate the schema (not)')
}
