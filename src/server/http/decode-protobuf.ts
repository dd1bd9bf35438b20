import messages from '../../../gen/kubernetes-protobuf.json' with { type: 'json' }
import { badRequest, unsupportedMediaType } from '../status-error.ts'

// Go clients send built-in kinds in protobuf and in nothing else. It is read here and answered in JSON, which they
// accept too: one small reader instead of a second form of everything.

export const PROTOBUF = 'application/vnd.kubernetes.protobuf'

type Field = [name: string, type: string, marks: string]
const MESSAGES = messages as unknown as Record<string, Record<string, Field>>
const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0])
const NANOS_PER_MICRO = 1000

export function decodeProtobuf(body: Buffer): Record<string, unknown> {
  if (!body.subarray(0, 4).equals(MAGIC))
    throw badRequest('the body is not Kubernetes protobuf: it does not begin with k8s\\0')
  const envelope = readFields(body.subarray(4))
  const type = readFields(bytesOf(envelope, 1))
  const apiVersion = bytesOf(type, 1).toString()
  const kind = bytesOf(type, 2).toString()
  const message = messageOf(apiVersion, kind)
  if (!message) throw unsupportedMediaType(['application/json', 'application/yaml'])
  return { apiVersion, kind, ...decodeMessage(message, bytesOf(envelope, 2)) }
}

function messageOf(apiVersion: string, kind: string): string | undefined {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse()
  const candidates = [`${group.replace(/\.k8s\.io$/, '')}.${version}.${kind}`, `meta.v1.${kind}`]
  return candidates.find((name) => Object.hasOwn(MESSAGES, name))
}

interface WireField {
  number: number
  value: bigint | Buffer
}

function readFields(buffer: Buffer): WireField[] {
  const fields: WireField[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = buffer[at++]
      if (byte === undefined) throw truncated()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw truncated()
  }
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > buffer.length) throw truncated()
    at += length
    return buffer.subarray(at - length, at)
  }
  while (at < buffer.length) {
    const tag = varint()
    const number = Number(tag >> 3n)
    const wire = Number(tag & 7n)
    if (wire === 0) fields.push({ number, value: varint() })
    else if (wire === 1) fields.push({ number, value: take(8) })
    else if (wire === 2) fields.push({ number, value: take(Number(varint())) })
    else if (wire === 5) fields.push({ number, value: take(4) })
    else throw truncated()
  }
  return fields
}

const truncated = () => badRequest('the protobuf in the body is damaged')

function bytesOf(fields: readonly WireField[], number: number): Buffer {
  const value = fields.find((field) => field.number === number)?.value
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

function decodeMessage(name: string, buffer: Buffer): Record<string, unknown> {
  const known = MESSAGES[name] ?? {}
  const out: Record<string, unknown> = {}
  for (const { number, value } of readFields(buffer)) {
    const field = known[number]
    if (!field) continue
    const [key, type, marks] = field
    if (marks.includes('m')) {
      out[key] = { ...(out[key] as object), ...decodeEntry(type, value) }
      continue
    }
    const decoded = decodeValue(type, value)
    if (marks.includes('r')) out[key] = [...((out[key] as unknown[]) ?? []), decoded]
    else if (marks.includes('i')) Object.assign(out, decoded)
    else if (/[kp]/.test(marks) ? decoded !== null : !isZero(decoded)) out[key] = decoded
  }
  return out
}

/** Go writes every field that is no pointer, also the empty ones it would leave out of JSON. */
const isZero = (value: unknown): boolean =>
  value === '' || value === 0 || value === false || value === null || value === undefined

function decodeEntry(type: string, value: WireField['value']): Record<string, unknown> {
  const entry = readFields(asBytes(value))
  const item = entry.find((field) => field.number === 2)?.value ?? (isNumber(type) ? 0n : Buffer.alloc(0))
  return { [bytesOf(entry, 1).toString()]: decodeValue(type, item) }
}

const isNumber = (type: string): boolean => type === 'int' || type === 'bool'

function asBytes(value: WireField['value']): Buffer {
  if (!Buffer.isBuffer(value)) throw truncated()
  return value
}

function decodeValue(type: string, value: WireField['value']): unknown {
  switch (type) {
    case 'string':
      return asBytes(value).toString()
    case 'bool':
      return value !== 0n
    case 'int':
      return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0
    case 'double':
      return asBytes(value).readDoubleLE()
    case 'bytes':
      return asBytes(value).toString('base64')
    case 'quantity':
      return bytesOf(readFields(asBytes(value)), 1).toString() || '0'
    case 'intorstring':
      return decodeIntOrString(readFields(asBytes(value)))
    case 'time':
    case 'microtime':
      return decodeTime(type, readFields(asBytes(value)))
    case 'json':
      return decodeJson(bytesOf(readFields(asBytes(value)), 1))
    default:
      return decodeMessage(type, asBytes(value))
  }
}

const numberOf = (fields: readonly WireField[], number: number): number => {
  const value = fields.find((field) => field.number === number)?.value
  return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0
}

function decodeIntOrString(fields: readonly WireField[]): number | string {
  const isString = numberOf(fields, 1) === 1
  return isString ? bytesOf(fields, 3).toString() : numberOf(fields, 2)
}

function decodeTime(type: 'time' | 'microtime', fields: readonly WireField[]): string | null {
  const seconds = numberOf(fields, 1)
  if (fields.length === 0 || seconds < 0) return null
  const text = new Date(seconds * 1000).toISOString().slice(0, 19)
  if (type === 'time') return `${text}Z`
  return `${text}.${String(Math.floor(numberOf(fields, 2) / NANOS_PER_MICRO)).padStart(6, '0')}Z`
}

function decodeJson(raw: Buffer): unknown {
  if (raw.length === 0) return null
  try {
    return JSON.parse(raw.toString())
  } catch {
    throw badRequest('the protobuf in the body carries JSON that cannot be read')
  }
}
