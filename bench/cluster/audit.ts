// What a contender asked of the API, from the API's own log.
import { createReadStream, statSync } from 'node:fs'
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
  /** `create pods`, by how often. */
  byWhat: Record<string, number>
  /** Those about one job, by what its name begins with. */
  byPrefix: Record<string, Record<string, number>>
  /** By the code of the answer. */
  byCode: Record<string, number>
}

export const sizeOf = (file: string): number => statSync(file).size

/** All requests of the contender that the log holds from `fromByte` on. */
export async function countRequests(file: string, fromByte: number, prefixes: readonly string[]): Promise<Requests> {
  const counted: Requests = { total: 0, byWhat: {}, byPrefix: {}, byCode: {} }
  const lines = createInterface(createReadStream(file, { start: fromByte }))
  for await (const text of lines) {
    // Most lines are others'; parsing them would take longer than the rest.
    if (!text.includes(`"username":"${OPERATOR}"`)) continue
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

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}

export function sumOf(counts: Record<string, number> = {}): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
