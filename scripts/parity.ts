// npm run parity [-- NAME…]: the same requests to the embedded server and to a genuine kube-apiserver, answers compared.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../src/server/server.ts'
import type { Case } from '../test/parity/case.ts'
import { CASES } from '../test/parity/cases/index.ts'
import { differences } from '../test/parity/difference.ts'
import type { Endpoint } from '../test/parity/endpoint.ts'
import { countGroups, findTwins, type GroupCount } from '../test/parity/groups.ts'
import { KNOWN } from '../test/parity/known.ts'
import { runCase } from '../test/parity/run-case.ts'
import { elapsed } from './elapsed.ts'
import { startControlPlane } from './real/control-plane.ts'

const start = performance.now()
const say = (line: string): void => console.log(`parity: ${elapsed(start).padStart(7)}  ${line}`)

/** Cases mostly wait: for definitions to be served, for garbage to be collected. */
const LANES = 6
const PROGRESS_EVERY = 50
/** Short, so that a watch from the first revision is soon too late. */
const HISTORY = { keep: 20_000, step: 1000 }

const titleOf = (one: Case): string => `${one.area}: ${one.name}`

interface Count {
  equal: number
  total: number
  known: number
  fresh: number
}

async function compareAll(ours: Endpoint, theirs: Endpoint, cases: ReadonlyArray<[number, Case]>): Promise<Count> {
  const count = { equal: 0, total: 0, known: 0, fresh: 0 }
  const run = process.pid.toString(36)
  const waiting = [...cases]
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [i, one] = next
      const namespace = `parity-${run}-${i}`
      const [left, right] = await Promise.all([runCase(ours, one, namespace), runCase(theirs, one, namespace)])
      judge(titleOf(one), differences(left, right), count)
      if (++count.total % PROGRESS_EVERY === 0) say(`${count.total} of ${cases.length}`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return count
}

function judge(title: string, found: readonly string[], count: Count): void {
  const isKnown = title in KNOWN
  if (found.length === 0) count.equal++
  else if (isKnown) count.known++
  else count.fresh++
  if (found.length > 0 && !isKnown) {
    say(`DIFFERENT ${title}`)
    for (const line of found.slice(0, 12)) console.log(`    ${line}`)
  } else if (found.length === 0 && isKnown) {
    count.fresh++
    say(`listed as known but equal: ${title}`)
  }
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

/** What is wrong with the set of cases itself. */
function checkCases(groups: readonly GroupCount[]): string[] {
  const short = groups.filter((group) => group.count < group.least)
  const stale = Object.keys(KNOWN).filter((title) => !CASES.some((one) => titleOf(one) === title))
  const sacred = Object.keys(KNOWN).filter((title) => /^(apply|watch|delete): /.test(title))
  return [
    ...findTwins(CASES).map(([a, b]) => `two cases that differ in names only: ${a} | ${b}`),
    ...short.map((group) => `${group.name}: ${group.count} cases, ${group.least} are needed`),
    ...stale.map((title) => `known, but there is no such case: ${title}`),
    ...sacred.map((title) => `no difference may be known in apply, watch and delete: ${title}`),
  ]
}

/** What a reader may rely on: the figure of the last whole run, and every difference there is. */
function writeReport(line: string, groups: readonly GroupCount[]): void {
  const rows = Object.entries(KNOWN).map(([title, reason]) => {
    const [why = '', who = ''] = reason.split(/; (?=[^;]*$)/)
    return `| ${title} | ${why} | ${who} |`
  })
  const text = `# Parity with kube-apiserver

Written by \`npm run parity\`, which sends the same ${CASES.length} cases of requests to the embedded server and to a genuine
kube-apiserver and compares status codes, bodies and warnings. What may differ by nature (uids, times, revisions) is one list in
[test/parity/ignored.ts](../test/parity/ignored.ts).

\`${line}\`

| cases about | count |
| --- | --- |
${groups.map((group) => `| ${group.name} | ${group.count} |`).join('\n')}

Known differences, none of them in apply, watch or delete:

| case | difference | who notices |
| --- | --- | --- |
${rows.join('\n')}
`
  writeFileSync(join(import.meta.dirname, '../docs/parity.md'), text)
}

const dir = mkdtempSync(join(tmpdir(), 'trainyard-parity-'))
try {
  const names = process.argv.slice(2)
  const isWanted = (one: Case): boolean => names.length === 0 || names.some((name) => titleOf(one).includes(name))
  const cases = [...CASES.entries()].filter(([, one]) => isWanted(one))
  const server = await startServer({ dir, history: HISTORY, log: (line) => say(`server: ${line}`) })
  const ours: Endpoint = { url: server.url, ca: server.ca, token: server.token }
  const { equal, total, known, fresh } = await withReal((theirs) => compareAll(ours, theirs, cases))
  await server.stop()
  const groups = countGroups(CASES)
  const wrong = checkCases(groups)
  for (const group of groups) say(`${String(group.count).padStart(4)}  ${group.name}`)
  for (const problem of wrong) say(problem)
  const line = `parity: ${equal} of ${total} equal (${((100 * equal) / total).toFixed(1)} %), ${known} known, ${fresh} new`
  if (names.length === 0) writeReport(line, groups)
  console.log(line)
  process.exitCode = fresh > 0 || total === 0 || wrong.length > 0 ? 1 : 0
} catch (error) {
  console.log(`parity: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}
// A case that broke off may have left a connection open.
process.exit()
