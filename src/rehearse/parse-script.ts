// From a script's text to its value, with the line and column of everything that is wrong.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml'
import { messageOf, type Path, pathText } from '../api/issue.ts'
import type { TrainingJob } from '../api/types.ts'
import { castOf } from './cast.ts'
import { readScript } from './read-script.ts'
import type { Script } from './script.ts'

export interface ScriptError {
  file: string
  path: string
  line: number
  column: number
  message: string
}

const LARGEST = 256 * 1024
const MOST_ALIASES = 100
const MOST_ERRORS = 100
const DEEPEST = 200

export function parseScript(
  text: string,
  file: string,
  job: TrainingJob,
): { script: Script } | { errors: ScriptError[] } {
  const failed = (message: string, at = { line: 1, col: 1 }): { errors: ScriptError[] } => ({
    errors: [{ file, path: '', line: at.line, column: at.col, message }],
  })
  if (text.length > LARGEST) return failed('is larger than 256 KB; no script needs that much')
  if (bracketDepth(text) > DEEPEST) return failed('is nested too deeply')
  const lines = new LineCounter()
  let document: Document.Parsed
  let value: unknown
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      uniqueKeys: false,
      stringKeys: true,
      merge: true,
      prettyErrors: false,
    })
    const [error] = document.errors
    if (error) return failed(wordsFor(error.code), lines.linePos(error.pos[0]))
    const twice = findDuplicateKey(document)
    if (twice !== undefined) return failed(wordsFor('DUPLICATE_KEY'), lines.linePos(twice))
    value = document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (error) {
    if (error instanceof RangeError) return failed('is nested too deeply')
    if (error instanceof ReferenceError) return failed('uses aliases too often, or one that has no anchor')
    return failed('cannot be read as YAML')
  }
  const { issues } = readScript(value, castOf(job, value))
  if (issues.length === 0) return { script: (value ?? {}) as Script }
  const errors = issues.slice(0, MOST_ERRORS).map((issue) => {
    const { line, col } = lines.linePos(offsetOf(document, issue.path, issue.atKey ?? false))
    return { file, path: pathText(issue.path), line, column: col, message: messageOf(issue) }
  })
  return { errors: errors.sort((a, b) => a.line - b.line || a.column - b.column) }
}

/** Brackets in quotes count too: no text of a script has hundreds of them open. */
function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const bracket of text.match(/[[\]{}]/g) ?? []) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** Where the first key stands that its map has already; the library's own search takes the square of a map's size. */
function findDuplicateKey(document: Document.Parsed): number | undefined {
  let found: number | undefined
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) found ??= key.range?.[0] ?? 0
        seen.add(key.value)
      }
      return found === undefined ? undefined : visit.BREAK
    },
  })
  return found
}

/** The library's own words are about its grammar; these are about the text. */
function wordsFor(code: string): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'the same key stands here a second time'
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; a script is one'
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent YAML; use blanks'
    case 'MISSING_CHAR':
    case 'BAD_QUOTE':
    case 'BAD_SCALAR_START':
      return 'is not YAML: a quote, bracket or comma is missing or does not belong here'
    case 'BAD_INDENT':
      return 'is not YAML: the indentation does not fit the lines above'
    case 'RESOURCE_EXHAUSTION':
      return 'is nested too deeply'
    case 'NON_STRING_KEY':
      return 'keys must be plain words'
    default:
      return 'is not YAML from here on'
  }
}

/** Where the value at a path stands, or its key, or else the nearest thing around it that is there. */
function offsetOf(document: Document.Parsed, path: Path, atKey: boolean): number {
  let node: ParsedNode | null = document.contents
  let offset = node?.range?.[0] ?? 0
  for (const [i, step] of path.entries()) {
    if (isAlias(node)) node = (node.resolve(document) ?? null) as ParsedNode | null
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
      )
      if (!pair) return offset
      const last = i === path.length - 1
      const target: unknown = (last && atKey) || !isNode(pair.value) ? pair.key : pair.value
      offset = isNode(target) ? (target.range?.[0] ?? offset) : offset
      node = pair.value as ParsedNode | null
    } else if (isSeq(node)) {
      node = (node.items[Number(step)] ?? null) as ParsedNode | null
      offset = node?.range?.[0] ?? offset
    } else {
      return offset
    }
  }
  return offset
}
