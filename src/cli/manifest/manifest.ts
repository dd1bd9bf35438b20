// The manifests a command works on: every document of every file, with what it is called and where it stands.
import type { Issue, Path } from '../../api/issue.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { decodeManifest } from './decode.ts'
import { type Parsed, parseDocuments } from './documents.ts'
import { Lines, type Position } from './positions.ts'
import { readSources, type Source } from './sources.ts'

export interface Manifest {
  /** Empty where the document does not say. */
  kind: string
  apiVersion: string
  name: string
  /** Absent where the document cannot be read; then `issues` says why. */
  object?: JsonObject
  issues: Issue[]
  /** Where a path of the object is written. */
  locate: (path: Path, atKey?: boolean) => Position
  /** Before the paths of the object: `items[3]` for what stands in a List. */
  base: Path
}

export interface ManifestFile {
  file: string
  lines: Lines
  manifests: Manifest[]
}

export async function readManifests(
  names: readonly string[],
  stdin: () => Promise<Uint8Array>,
): Promise<ManifestFile[]> {
  const sources = await readSources(names, stdin)
  return sources.map(readManifestFile)
}

function readManifestFile(source: Source): ManifestFile {
  const { file } = source
  const decoded = decodeManifest(source.bytes, source.size)
  if ('message' in decoded) return unreadable(file, decoded.text, decoded.message, decoded.offset)
  return readManifestText(file, decoded.text)
}

export function readManifestText(file: string, text: string): ManifestFile {
  const { lines, documents } = parseDocuments(text)
  if (documents.length === 0)
    return unreadable(file, '', 'there is nothing in it; a manifest has apiVersion, kind, metadata and spec', 0)
  return { file, lines, manifests: documents.flatMap(toManifests) }
}

/** An object made by a program: it has no lines, and nothing but what JSON can hold counts. */
export function readManifestObject(object: object): Manifest[] {
  const nowhere = { line: 0, column: 0, length: 0 }
  try {
    return toManifests({ value: JSON.parse(JSON.stringify(object) ?? 'null') as Json, locate: () => nowhere })
  } catch {
    return [broken('this is no plain object; it refers to itself or holds what JSON cannot', nowhere)]
  }
}

function unreadable(file: string, text: string, message: string, offset: number): ManifestFile {
  const lines = new Lines(text)
  return { file, lines, manifests: [broken(message, lines.position(offset))] }
}

function broken(message: string, position: Position): Manifest {
  const issue: Issue = { severity: 'error', path: [], message }
  return { kind: '', apiVersion: '', name: '', issues: [issue], locate: () => position, base: [] }
}

function toManifests(parsed: Parsed): Manifest[] {
  if ('problem' in parsed) return [broken(parsed.problem.message, parsed.problem.position)]
  const { value, locate } = parsed
  if (isObject(value) && value.kind === 'List' && value.apiVersion === 'v1' && Array.isArray(value.items)) {
    return value.items.map((item, i) => toManifest(item, ['items', i], locate))
  }
  return [toManifest(value, [], locate)]
}

function toManifest(value: Json, base: Path, locate: (path: Path, atKey?: boolean) => Position): Manifest {
  const within = (path: Path, atKey?: boolean) => locate([...base, ...path], atKey)
  if (!isObject(value)) {
    const message = `a manifest is a map with apiVersion, kind, metadata and spec; this is ${describe(value)}`
    return {
      kind: '',
      apiVersion: '',
      name: '',
      issues: [{ severity: 'error', path: [], message }],
      locate: within,
      base,
    }
  }
  const metadata = isObject(value.metadata) ? value.metadata : {}
  const name = textOf(metadata.name) || textOf(metadata.generateName)
  return {
    kind: textOf(value.kind),
    apiVersion: textOf(value.apiVersion),
    name,
    object: value as JsonObject,
    issues: [],
    locate: within,
    base,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function describe(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'number' ? 'a number' : 'true or false'
}
