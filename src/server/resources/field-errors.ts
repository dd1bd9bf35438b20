import type { StatusCause } from '../status-error.ts'

// The apiserver's field errors, so that a user reads the same words in both homes.

/** Go writes signs that mean something in HTML as escapes, though not in plain texts. */
const quoted = (value: unknown): string => {
  const text = JSON.stringify(value)
  return typeof value === 'string' ? text : text.replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
}

export const required = (field: string, detail = ''): StatusCause => ({
  reason: 'FieldValueRequired',
  message: detail ? `Required value: ${detail}` : 'Required value',
  field,
})

export const invalidValue = (field: string, value: unknown, detail: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${quoted(value)}: ${detail}`,
  field,
})

export const notSupported = (field: string, value: unknown, allowed: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quoted(value)}: supported values: ${allowed.map(quoted).join(', ')}`,
  field,
})

export const forbiddenField = (field: string, detail: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
  field,
})

export const duplicate = (field: string, value: unknown): StatusCause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${quoted(value)}`,
  field,
})

export const notFoundField = (field: string, value: unknown): StatusCause => ({
  reason: 'FieldValueNotFound',
  message: `Not found: ${quoted(value)}`,
  field,
})

export const tooLong = (field: string, limit: number): StatusCause => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${limit} bytes`,
  field,
})

export const immutable = (field: string, value: unknown): StatusCause =>
  invalidValue(field, value, 'field is immutable')
