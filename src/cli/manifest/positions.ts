// From a path (`spec.replicaSpecs[1].replicas`) to the place in the file where it is written.
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml'
import type { Path } from '../../api/issue.ts'

export interface Position {
  /** Both from 1. */
  line: number
  column: number
  /** Characters to underline, within the line. */
  length: number
}

/** Line starts of a text, to turn offsets into lines and columns. */
export class Lines {
  readonly text: string
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.text = text
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  /** Without its line break. */
  line(number: number): string | undefined {
    const start = this.#starts[number - 1]
    if (start === undefined) return undefined
    return this.text.slice(start, this.#starts[number] ?? this.text.length + 1).replace(/\r?\n$/, '')
  }

  position(offset: number, end: number = offset + 1): Position {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    const start = this.#starts[low]!
    const room = (this.line(low + 1) ?? '').length - (offset - start)
    return { line: low + 1, column: offset - start + 1, length: Math.max(1, Math.min(end - offset, room)) }
  }
}

/** Where aliases lead and which keys maps have, as found when the document was read. */
export interface Bindings {
  targets: ReadonlyMap<Node, Node>
  keyText: (key: unknown) => string | undefined
}

interface Found {
  key?: Node
  value?: Node | null
}

/** The nearest place that is written in the file: of a missing field, that of its parent's key. */
export function locate(root: Node | null, path: Path, atKey: boolean, lines: Lines, bindings: Bindings): Position {
  let found: Found = { value: root }
  let complete = true
  for (const step of path) {
    const next = child(found.value, step, bindings)
    if (!next) {
      complete = false
      break
    }
    found = next
  }
  const valueRange = found.value?.range
  const keyRange = found.key?.range
  const value = valueRange && lines.position(valueRange[0], valueRange[1])
  const key = keyRange && lines.position(keyRange[0], keyRange[1])
  if (key && (!value || atKey || !complete || value.line > key.line || isUnwritten(found.value))) return key
  return value ?? { line: 1, column: 1, length: 1 }
}

function isUnwritten(node: Node | null | undefined): boolean {
  return !node?.range || node.range[0] === node.range[1]
}

function child(node: Node | null | undefined, step: string | number, bindings: Bindings): Found | undefined {
  const target = resolveAlias(node, bindings)
  if (isSeq(target)) {
    const item = typeof step === 'number' ? (target.items[step] as Node | Pair | undefined) : undefined
    if (!item) return undefined
    return { value: item as Node }
  }
  if (!isMap(target)) return undefined
  return ownChild(target, String(step), bindings) ?? mergedChild(target, step, bindings)
}

function ownChild(map: YAMLMap, step: string, bindings: Bindings): Found | undefined {
  const pair = map.items.find((item) => bindings.keyText(item.key) === step)
  return pair && { key: pair.key as Node, value: pair.value as Node | null }
}

function mergedChild(map: YAMLMap, step: string | number, bindings: Bindings): Found | undefined {
  for (const pair of map.items) {
    if (!isMergeKey(pair.key)) continue
    const source = resolveAlias(pair.value as Node | null, bindings)
    for (const part of isSeq(source) ? (source.items as Node[]) : [source]) {
      const found = part && child(part, step, bindings)
      if (found) return found
    }
  }
  return undefined
}

export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<'
}

function resolveAlias(node: Node | null | undefined, bindings: Bindings): Node | null | undefined {
  // An alias leads to an anchor further up, so this ends.
  let target = node
  while (isAlias(target)) target = bindings.targets.get(target)
  return target
}
