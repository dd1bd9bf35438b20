// From bytes to text: everything that makes a file no manifest before YAML is even looked at.

/** Kubernetes takes no request beyond this; nothing larger can be a manifest. */
export const MAX_BYTES = 3 * 1024 * 1024

export type Decoded = { text: string } | { message: string; offset: number; text: string }

/** `size`: of the file, where it was too large to be read at all. */
export function decodeManifest(bytes: Uint8Array, size = bytes.length): Decoded {
  if (size > MAX_BYTES) return { message: tooLarge(size), offset: 0, text: '' }
  if (isUtf16(bytes)) return { message: 'the file is UTF-16; save it as UTF-8', offset: 0, text: '' }
  const text = new TextDecoder('utf-8').decode(bytes)
  const nul = text.indexOf('\0')
  if (nul >= 0) return { message: 'the file has a NUL byte here; it is no text', offset: nul, text }
  if (isUtf8(bytes)) return { text }
  return {
    message: 'a byte here is not valid UTF-8; save the file as UTF-8',
    offset: Math.max(0, text.indexOf('\ufffd')),
    text,
  }
}

function tooLarge(size: number): string {
  const megabytes = (size / 1024 / 1024).toFixed(1)
  return `the file has ${megabytes} MiB; a manifest has at most 3 MiB, Kubernetes takes no larger one`
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
