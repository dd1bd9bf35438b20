// YAML or JSON text into plain values, each able to say where in the text it stands.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import type { Path } from '../../api/issue.ts'
import { nearest } from '../../api/nearest.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import { isMergeKey, Lines, locate, type Position } from './positions.ts'
import { resolvePlain } from './scalars.ts'
import { isNeverClosed, TEMPLATE, TOO_DEEP, wordsFor } from './syntax-words.ts'

/** Deeper than any manifest goes (a pod's probe in a List has 14), shallow enough for every recursion after us. */
const MAX_DEPTH = 100
/** What aliases may add to a document. A bomb passes this at once; a file that shares its pod template never does. */
const MAX_ALIASED = 100_000

export type Parsed = { value: Json; locate: (path: Path, atKey?: boolean) => Position } | { problem: Problem }

export interface Problem {
  message: string
  position: Position
}

/** Every document of a text that has something in it; the first thing wrong with a document stands for all. */
export function parseDocuments(text: string): { lines: Lines; documents: Parsed[] } {
  const lines = new Lines(text)
  // Scalars are resolved here, not by the parser (see scalars.ts), and so are duplicate keys: its way of looking
  // for them takes quadratic time.
  const parsed = parseAllDocuments<Node>(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const documents: Parsed[] = []
  for (const document of Array.isArray(parsed) ? parsed : []) {
    const error = document.errors[0]
    if (error) {
      documents.push({ problem: describeError(error, document, lines) })
    } else if (!isEmpty(document)) documents.push(readDocument(document, lines))
  }
  return { lines, documents }
}

function describeError(error: YAMLError, document: Document<Node>, lines: Lines): Problem {
  const opening = findOpening(error, document, lines.text)
  if (opening !== undefined) {
    return { message: `this ${lines.text[opening]} is never closed`, position: lines.position(opening) }
  }
  const position = lines.position(error.pos[0], error.code === 'TAB_AS_INDENT' ? error.pos[0] + 1 : error.pos[1])
  const line = lines.line(position.line) ?? ''
  return { message: wordsFor(error, line, line.slice(position.column - 1)), position }
}

/** The parser notices at the end of the file what was left open at the beginning. */
function findOpening(error: YAMLError, document: Document<Node>, text: string): number | undefined {
  if (!isNeverClosed(error)) return undefined
  let opening: number | undefined
  visit(document, (_, node) => {
    const range = isNode(node) ? node.range : undefined
    if (!range || range[0] > error.pos[0]) return
    const closed = range[1] - range[0] > 1 && CLOSINGS[text[range[0]]!] === text[range[1] - 1]
    if (text[range[0]]! in CLOSINGS && !closed) opening = range[0]
  })
  return opening
}

const CLOSINGS: Record<string, string> = { '[': ']', '{': '}', '"': '"', "'": "'" }

function isEmpty(document: Document<Node>): boolean {
  const { contents } = document
  return (
    contents === null ||
    (isScalar(contents) && contents.type === 'PLAIN' && resolvePlain(contents.source ?? '') === null)
  )
}

function readDocument(document: Document<Node>, lines: Lines): Parsed {
  const reader = new Reader(lines)
  try {
    const value = reader.read(document.contents, 0)
    const bindings = { targets: reader.targets, keyText: (key: unknown) => reader.keyText(key) }
    return { value, locate: (path, atKey = false) => locate(document.contents, path, atKey, lines, bindings) }
  } catch (error) {
    if (error instanceof Unreadable) return { problem: { message: error.message, position: error.position } }
    throw error
  }
}

class Unreadable extends Error {
  readonly position: Position
  constructor(message: string, position: Position) {
    super(message)
    this.position = position
  }
}

const TAGS: Record<string, string[]> = {
  'tag:yaml.org,2002:int': ['number'],
  'tag:yaml.org,2002:float': ['number'],
  'tag:yaml.org,2002:bool': ['boolean'],
  'tag:yaml.org,2002:null': ['null'],
}

const COLLECTION_TAGS = ['tag:yaml.org,2002:map', 'tag:yaml.org,2002:seq']

function noMeaning(tag: string): string {
  return `the tag ${tag.replace('tag:yaml.org,2002:', '!!')} has no meaning in a manifest`
}

class Reader {
  readonly targets = new Map<Node, Node>()
  readonly #lines: Lines
  readonly #anchors = new Map<string, Node>()
  readonly #open = new Set<Node>()
  /** The alias being unfolded; within it nothing is new. */
  #outermost: Node | undefined
  #aliased = 0

  constructor(lines: Lines) {
    this.#lines = lines
  }

  read(node: unknown, depth: number): Json {
    if (node === null || node === undefined) return null
    const at = node as Node
    if (depth > MAX_DEPTH) this.#fail(at, TOO_DEEP)
    if (this.#outermost && ++this.#aliased > MAX_ALIASED) {
      this.#fail(this.#outermost, `the aliases (*) of this document unfold to more than ${MAX_ALIASED} values`)
    }
    if (isAlias(at)) return this.#follow(at, depth)
    const anchor = (at as { anchor?: string }).anchor
    if (anchor !== undefined && !this.#outermost) this.#anchors.set(anchor, at)
    if (isScalar(at)) return this.#scalar(at)
    const tag = (at as { tag?: string }).tag
    if (tag !== undefined && !COLLECTION_TAGS.includes(tag)) this.#fail(at, noMeaning(tag))
    this.#open.add(at)
    const value = isMap(at)
      ? this.#map(at, depth)
      : isSeq(at)
        ? at.items.map((item) => this.read(item, depth + 1))
        : null
    this.#open.delete(at)
    return value
  }

  keyText(key: unknown): string | undefined {
    const target = isAlias(key) ? this.targets.get(key) : key
    if (!isScalar(target)) return undefined
    const value = this.#scalar(target)
    return value === null ? undefined : String(value)
  }

  #follow(alias: Node & { source: string }, depth: number): Json {
    const target = this.targets.get(alias) ?? this.#anchors.get(alias.source)
    if (!target) {
      const near = nearest(alias.source, this.#anchors.keys())
      this.#fail(
        alias,
        `there is no anchor &${alias.source} before this alias${near ? `; did you mean *${near}?` : ''}`,
      )
    }
    if (this.#open.has(target)) this.#fail(alias, `*${alias.source} stands inside of what &${alias.source} marks`)
    this.targets.set(alias, target)
    if (this.#outermost) return this.read(target, depth)
    this.#outermost = alias
    const value = this.read(target, depth)
    this.#outermost = undefined
    return value
  }

  #scalar(scalar: Scalar): Json {
    const tag = scalar.tag
    if (tag !== undefined && tag !== 'tag:yaml.org,2002:str' && !TAGS[tag]) {
      this.#fail(scalar, noMeaning(tag))
    }
    const text = String(scalar.value ?? '')
    if (tag === 'tag:yaml.org,2002:str') return text
    if (scalar.type !== 'PLAIN' && tag === undefined) return text
    const value = resolvePlain(text)
    if (value === undefined) this.#fail(scalar, `${text} is no number that JSON, and so Kubernetes, can hold`)
    if (tag !== undefined && !TAGS[tag]!.includes(value === null ? 'null' : typeof value)) {
      this.#fail(scalar, `${JSON.stringify(text)} is no ${tag.replace('tag:yaml.org,2002:', '')}, as its tag says`)
    }
    return value
  }

  #map(map: YAMLMap, depth: number): JsonObject {
    const own = new Map<string, Json>()
    const merged = new Map<string, Json>()
    const keys = new Map<string, Node>()
    for (const pair of map.items) {
      if (isMergeKey(pair.key)) {
        this.#merge(pair.value as Node | null, depth, pair.key as Node, merged)
        continue
      }
      const key = this.#key(pair.key as Node | null, map)
      const first = keys.get(key)
      if (first)
        this.#fail(pair.key as Node, `the key ${JSON.stringify(key)} stands here a second time${this.#inLine(first)}`)
      keys.set(key, pair.key as Node)
      own.set(key, this.read(pair.value, depth + 1))
    }
    // Members of merged maps come first, as if they had been written above; what the map says itself wins.
    return toObject([...merged, ...own])
  }

  #merge(value: Node | null, depth: number, key: Node, into: Map<string, Json>): void {
    const sources = isSeq(value) ? value.items : [value]
    for (const source of sources) {
      const members = this.read(source, depth + 1)
      if (typeof members !== 'object' || members === null || Array.isArray(members)) {
        this.#fail(key, '"<<" takes a map, an alias of one, or a list of these')
      }
      for (const [name, member] of Object.entries(members)) if (!into.has(name)) into.set(name, member)
    }
  }

  #key(key: Node | null, map: YAMLMap): string {
    if (isAlias(key)) this.read(key, 0)
    const text = this.keyText(key)
    if (isMap(key)) this.#fail(key, TEMPLATE)
    if (text === undefined) this.#fail(key ?? map, 'a key must be a word, a number or a quoted text')
    if ((key as { anchor?: string }).anchor) this.#anchors.set((key as { anchor: string }).anchor, key as Node)
    return text
  }

  #inLine(node: Node): string {
    return node.range ? `; the first is in line ${this.#lines.position(node.range[0]).line}` : ''
  }

  #fail(node: Node, message: string): never {
    const [start, end] = node.range ?? [0, 1]
    throw new Unreadable(message, this.#lines.position(start, end))
  }
}

function toObject(members: Iterable<[string, Json]>): JsonObject {
  const object: JsonObject = {}
  // By definition, not assignment: a key `__proto__` is a key like any other.
  for (const [key, value] of members) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  }
  return object
}
