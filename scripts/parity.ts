// npm run parity [-- NAME…]: the same requests to the embedded server and to a genuine kube-apiserver, answers compared.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../src/server/server.ts'
import { CASES } from '../test/parity/cases/index.ts'
import { differences } from '../test/parity/difference.ts'
import type { Endpoint } from '../test/parity/endpoint.ts'
import { KNOWN } from '../test/parity/known.ts'
import { runCase } from '../test/parity/run-case.ts'
import { elapsed } from './elapsed.ts'
import { startControlPlane } from './real/control-plane.ts'

const start = performance.now()
const say = (line: string): void => console.log(`parity: ${elapsed(start).padStart(7)}  ${line}`)

async function compareAll(
  ours: Endpoint,
  theirs: Endpoint,
  names: readonly string[],
): Promise<{ equal: number; total: number; known: number; fresh: number }> {
  const count = { equal: 0, total: 0, known: 0, fresh: 0 }
  const run = process.pid.toString(36)
  for (const [i, one] of CASES.entries()) {
    const title = `${one.area}: ${one.name}`
    if (names.length > 0 && !names.some((name) => title.includes(name))) continue
    count.total++
    const namespace = `parity-${run}-${i}`
    const [left, right] = await Promise.all([runCase(ours, one, namespace), runCase(theirs, one, namespace)])
    const found = differences(left, right)
    const reason = KNOWN[title]
    if (found.length === 0) count.equal++
    else if (reason) count.known++
    else count.fresh++
    if (found.length > 0 && !reason) {
      say(`DIFFERENT ${title}`)
      for (const line of found.slice(0, 12)) console.log(`    ${line}`)
    } else if (found.length === 0 && reason) {
      count.fresh++
      say(`listed as known but equal: ${title}`)
    }
  }
  return count
}

async function withReal<T>(use: (theirs: Endpoint) => Promise<T>): Promise<T> {
  const given = process.env.TRAINYARD_REAL_CLUSTER
  if (given) return use(JSON.parse(given) as Endpoint)
  const plane = await startControlPlane({ parts: ['kube-controller-manager'], say })
  try {
    return await use({ url: plane.url, ca: plane.ca, cert: plane.admin.cert, key: plane.admin.key })
  } finally {
    await plane.stop()
  }
}

const dir = mkdtempSync(join(tmpdir(), 'trainyard-parity-'))
try {
  const server = await startServer({ dir, log: (line) => say(`server: ${line}`) })
  const ours: Endpoint = { url: server.url, ca: server.ca, token: server.token }
  const { equal, total, known, fresh } = await withReal((theirs) => compareAll(ours, theirs, process.argv.slice(2)))
  await server.stop()
  console.log(
    `parity: ${equal} of ${total} equal (${((100 * equal) / total).toFixed(1)} %), ${known} known, ${fresh} new`,
  )
  process.exitCode = fresh > 0 || total === 0 ? 1 : 0
} catch (error) {
  console.log(`parity: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}
// A case that broke off may have left a connection open.
process.exit()
