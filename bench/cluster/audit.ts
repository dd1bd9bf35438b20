// What a contender asked of the API, from the API's own log.
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { OPERATOR } from './arena.ts'

interface Line {
  verb: string
  stage: string
  user?: { username?: string }
  requestURI: string
  objectRef?: { resource?: string; subresource?: string; name?: string }
  responseStatus?: { code?: number }
}

export interface Requests {
  total: number
  /** Of everybody else: the scheduler, controllers, and nodes that are played. */
  others: number
  /** `create pods`, by how often. */
  byWhat: Record<string, number>
  /** Those about one job, by what its name begins with. */
  byPrefix: Record<string, Record<string, number>>
  /** By the code of the answer. */
  byCode: Record<string, number>
}

/** A pod that was sent is written down whole. */
const LONGEST_LINE = 2 ** 20

export const sizeOf = (file: string): number => statSync(file).size

/** All requests of the contender that the log holds from `fromByte` on. */
export async function countRequests(file: string, fromByte: number, prefixes: readonly string[]): Promise<Requests> {
  const counted: Requests = { total: 0, others: 0, byWhat: {}, byPrefix: {}, byCode: {} }
  const end = endOfLastLine(file)
  if (end <= fromByte) return counted
  const lines = createInterface(createReadStream(file, { start: fromByte, end: end - 1 }))
  for await (const text of lines) {
    // Most lines are others'; parsing them would take longer than the rest.
    if (!text.includes(`"username":"${OPERATOR}"`)) {
      counted.others++
      continue
    }
    const line = JSON.parse(text) as Line
    // A watch is written down when it begins and when it ends.
    if (line.verb === 'watch' && line.stage === 'ResponseComplete') continue
    const { resource, subresource, name = '' } = line.objectRef ?? {}
    const what = `${line.verb} ${resource ?? line.requestURI}${subresource ? `/${subresource}` : ''}`
    counted.total++
    add(counted.byWhat, what)
    add(counted.byCode, String(line.responseStatus?.code))
    const prefix = prefixes.find((each) => name.startsWith(`${each}-`))
    if (prefix) {
      counted.byPrefix[prefix] ??= {}
      add(counted.byPrefix[prefix], what)
    }
  }
  return counted
}

/** Behind it the API may just be writing: half a line is counted when it is whole. */
function endOfLastLine(file: string): number {
  const size = sizeOf(file)
  const tail = Buffer.alloc(Math.min(size, LONGEST_LINE))
  const from = size - tail.length
  const descriptor = openSync(file, 'r')
  readSync(descriptor, tail, 0, tail.length, from)
  closeSync(descriptor)
  return from + tail.lastIndexOf('\n') + 1
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}

export function sumOf(counts: Record<string, number> = {}): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
