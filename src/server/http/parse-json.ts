import { badRequest } from '../status-error.ts'
import { jsonSyntaxError } from './json-syntax.ts'

const DEPTH_LIMIT = 1000

export interface ParsedJson {
  value: unknown
  /** Paths of keys that stand twice in one object; the last one wins. */
  duplicates: string[]
}

/** A body is quoted back in part; what does not look like an object in hexadecimal. */
export function excerpt(text: string): string {
  if (text === '') return '<empty>'
  return text.startsWith('{') ? text.slice(0, 100) : Buffer.from(text.slice(0, 100)).toString('hex')
}

/** JSON with what JSON.parse keeps silent about: repeated keys, and nesting that would overflow what comes later. */
export function parseJson(text: string, kind?: string): ParsedJson {
  checkDepth(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const why = `couldn't get version/kind; json parse error: ${jsonSyntaxError(Buffer.from(text)) ?? 'invalid JSON'}`
    throw badRequest(
      kind ? `the object provided is unrecognized (must be of type ${kind}): ${why} (${excerpt(text)})` : why,
    )
  }
  return { value, duplicates: findDuplicates(text) }
}

export function checkDepth(text: string): void {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x22) i = endOfString(text, i)
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > DEPTH_LIMIT) throw badRequest(`the request body is nested deeper than ${DEPTH_LIMIT} levels`)
    } else if (c === 0x7d || c === 0x5d) depth--
  }
}

/** Index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x5c) i++
    else if (c === 0x22) return i
  }
  return text.length
}

interface Level {
  keys: Set<string> | undefined
  step: string
  index: number
}

/** Runs over text that JSON.parse has accepted, so only the shape matters. */
function findDuplicates(text: string): string[] {
  const found: string[] = []
  const levels: Level[] = []
  let expectKey = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    const level = levels[levels.length - 1]
    if (c === 0x22) {
      const end = endOfString(text, i)
      if (expectKey && level?.keys) {
        const raw = text.slice(i + 1, end)
        const key = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
        level.step = key
        if (level.keys.has(key)) found.push(pathOf(levels))
        level.keys.add(key)
        expectKey = false
      }
      i = end
    } else if (c === 0x7b) {
      levels.push({ keys: new Set(), step: '', index: 0 })
      expectKey = true
    } else if (c === 0x5b) {
      levels.push({ keys: undefined, step: '', index: 0 })
      expectKey = false
    } else if (c === 0x7d || c === 0x5d) levels.pop()
    else if (c === 0x2c && level) {
      if (level.keys) expectKey = true
      else level.index++
    }
  }
  return [...new Set(found)]
}

function pathOf(levels: readonly Level[]): string {
  let path = ''
  for (const level of levels) path += level.keys ? (path ? `.${level.step}` : level.step) : `[${level.index}]`
  return path
}
