import type { Definitions, Json } from './schemas.ts'
import type { DocumentV2 } from './v2.ts'

// kubectl and Helm read the v2 document as protobuf (gnostic's openapi.v2.Document) and in no other form. What they
// look at is written: the definitions.

/** Older clients ask with an @, which is no media type and must not be answered with. */
export const OPENAPI_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
export const isOpenApiProtobuf = (type: string): boolean => type.replace('@', '.') === OPENAPI_PROTOBUF

const VARINT = 0
const DOUBLE = 1
const BYTES = 2

export function encodeV2({ swagger, info, definitions }: DocumentV2): Buffer {
  return Buffer.concat([
    text(1, swagger),
    bytes(2, Buffer.concat([text(1, info.title), text(2, info.version)])),
    bytes(8, Buffer.alloc(0)),
    bytes(9, namedSchemas(definitions)),
  ])
}

/** Definitions and properties: name, schema, name, schema… */
const namedSchemas = (schemas: Definitions): Buffer =>
  Buffer.concat(
    Object.entries(schemas).map(([name, schema]) =>
      bytes(1, Buffer.concat([text(1, name), bytes(2, encodeSchema(schema))])),
    ),
  )

const TEXTS: Record<string, number> = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 }
const NUMBERS: Record<string, number> = { multipleOf: 6, maximum: 7, minimum: 9 }
const COUNTS: Record<string, number> = {
  maxLength: 11,
  minLength: 12,
  maxItems: 14,
  minItems: 15,
  maxProperties: 17,
  minProperties: 18,
}

function encodeSchema(schema: Json): Buffer {
  return Buffer.concat(Object.entries(schema).map(([key, value]) => encodeMember(key, value)))
}

function encodeMember(key: string, value: unknown): Buffer {
  if (key.startsWith('x-')) return bytes(31, Buffer.concat([text(1, key), bytes(2, anyValue(value))]))
  if (TEXTS[key]) return text(TEXTS[key], String(value))
  if (NUMBERS[key]) return number(NUMBERS[key], Number(value))
  if (COUNTS[key]) return count(COUNTS[key], Number(value))
  switch (key) {
    case 'required':
      return Buffer.concat((value as string[]).map((name) => text(19, name)))
    case 'enum':
      return Buffer.concat((value as unknown[]).map((one) => bytes(20, anyValue(one))))
    case 'additionalProperties':
      return bytes(21, typeof value === 'boolean' ? count(2, Number(value)) : bytes(1, encodeSchema(value as Json)))
    case 'type':
      return bytes(22, text(1, String(value)))
    case 'items':
      return bytes(23, bytes(1, encodeSchema(value as Json)))
    case 'properties':
      return bytes(25, namedSchemas(value as Definitions))
    default:
      return Buffer.alloc(0)
  }
}

/** Any value stands as YAML, and JSON is YAML. */
const anyValue = (value: unknown): Buffer => text(2, `${JSON.stringify(value)}\n`)

function varint(value: number): Buffer {
  const out: number[] = []
  let rest = value
  while (rest >= 0x80) {
    out.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...out, rest])
}

const tag = (field: number, wire: number): Buffer => varint(field * 8 + wire)

const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([tag(field, BYTES), varint(content.length), content])

const text = (field: number, content: string): Buffer => bytes(field, Buffer.from(content))

const count = (field: number, value: number): Buffer => Buffer.concat([tag(field, VARINT), varint(value)])

function number(field: number, value: number): Buffer {
  const out = Buffer.alloc(8)
  out.writeDoubleLE(value)
  return Buffer.concat([tag(field, DOUBLE), out])
}
