// npm run parity [-- NAME…]: the same requests to the embedded server and to a genuine kube-apiserver, answers compared.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

/** What a reader may rely on: the figure of the last whole run, and every difference there is. */
function writeReport(line: string): void {
  const rows = Object.entries(KNOWN).map(([title, reason]) => {
    const [why = '', who = ''] = reason.split(/; (?=[^;]*$)/)
    return `| ${title} | ${why} | ${who} |`
  })
  const text = `# Parity with kube-apiserver

Written by \`npm run parity\`, which sends the same ${CASES.length} cases of requests to the embedded server and to a genuine
kube-apiserver and compares status codes, bodies and warnings. What may differ by nature (uids, times, revisions) is one list in
[test/parity/ignored.ts](../test/parity/ignored.ts).

\`${line}\`

Known differences:

| case | difference | who notices |
| --- | --- | --- |
${rows.join('\n')}
`
  writeFileSync(join(import.meta.dirname, '../docs/parity.md'), text)
}

const dir = mkdtempSync(join(tmpdir(), 'trainyard-parity-'))
try {
  const server = await startServer({ dir, log: (line) => say(`server: ${line}`) })
  const ours: Endpoint = { url: server.url, ca: server.ca, token: server.token }
  const names = process.argv.slice(2)
  const { equal, total, known, fresh } = await withReal((theirs) => compareAll(ours, theirs, names))
  await server.stop()
  const line = `parity: ${equal} of ${total} equal (${((100 * equal) / total).toFixed(1)} %), ${known} known, ${fresh} new`
  if (names.length === 0) writeReport(line)
  console.log(line)
  process.exitCode = fresh > 0 || total === 0 ? 1 : 0
} catch (error) {
  console.log(`parity: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}
// A case that broke off may have left a connection open.
process.exit()
