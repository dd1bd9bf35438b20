// DER, the bytes certificates are made of: a tag, a length, and what it holds.

const SHORT = 0x80

/** The tag's own bits say whether it holds bytes or further pieces; both come here as bytes. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, piece) => sum + piece.length, 0)
  return Buffer.concat([Buffer.of(tag), lengthOf(length), ...content])
}

function lengthOf(length: number): Buffer {
  if (length < SHORT) return Buffer.of(length)
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.of(SHORT | bytes.length), bytes])
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content)
export const set = (...content: readonly Uint8Array[]): Buffer => der(0x31, ...content)
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes)
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text))
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.of(value ? 0xff : 0))

/** `[number]`: pieces in a place of their own. */
export const tagged = (number: number, ...content: readonly Uint8Array[]): Buffer => der(0xa0 | number, ...content)

/** A positive number; one that begins with a set bit gets a zero before it, else it would be read as negative. */
export function integer(bytes: Uint8Array): Buffer {
  let first = 0
  while (first < bytes.length - 1 && bytes[first] === 0) first++
  const digits = bytes.subarray(first)
  return der(0x02, ...((digits[0] ?? 0) >= SHORT ? [Buffer.of(0)] : []), digits)
}

export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.of(unused), bytes)
}

/** `1.2.840.10045.4.3.2` */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.of(first * 40 + second), ...rest.map(base128))
}

function base128(value: number): Buffer {
  const groups = [value % 128]
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left % 128) | SHORT)
  return Buffer.from(groups)
}

const FOUR_DIGITS_FROM = 2050

/** X.509 wants two digits of the year until 2049 and four from then on. */
export function time(at: number): Buffer {
  const date = new Date(at)
  const text = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`
  return date.getUTCFullYear() < FOUR_DIGITS_FROM ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}
