// npm run test:cluster [-- NAME…]: the suites that need a genuine apiserver.
import { readdirSync } from 'node:fs'
import { CLUSTER_SUITES, runClusterSuite } from './cluster-suites.ts'
import { elapsed } from './elapsed.ts'
import { runTests, type VitestResult } from './run-vitest.ts'

const names = process.argv.slice(2)
const start = performance.now()
const say = (line: string): void => console.log(`test:cluster: ${elapsed(start).padStart(7)}  ${line}`)

const isWanted = (file: string): boolean => names.length === 0 || names.some((name) => file.includes(name))

function hasWantedFiles(folder: string): boolean {
  const files = readdirSync(`test/${folder}`, { recursive: true, encoding: 'utf8' })
  return files.some((file) => file.endsWith('.test.ts') && isWanted(`test/${folder}/${file}`))
}

async function main(): Promise<number> {
  const suites = Object.keys(CLUSTER_SUITES) as (keyof typeof CLUSTER_SUITES)[]
  const folders = suites.filter((folder) => !('soak' in CLUSTER_SUITES[folder]) && hasWantedFiles(folder))
  if (folders.length === 0) {
    console.log(`test:cluster: nothing was run; no test file is called ${names.join(' or ')}`)
    return 1
  }
  const results: VitestResult[] = []
  for (const folder of folders) {
    // Named, so that the suites' own figures come last.
    const filter = names.length > 0 ? names : [`test/${folder}/`]
    results.push(await runClusterSuite({ script: 'test:cluster', folder, names: filter, say }))
  }
  const homesAgree = await compareHomes(results)
  const sum = (key: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[key], 0)
  console.log(`test:cluster: ${sum('passed')} passed, ${sum('failed')} failed (${elapsed(start)})`)
  return homesAgree && results.every(({ code }) => code === 0) ? 0 : 1
}

/** The conformance suite, where it was run here, must hold with as many rows on the embedded home. */
async function compareHomes(results: VitestResult[]): Promise<boolean> {
  const here = rowsHeld(results)
  if (here === undefined) return true
  say('the same conformance suite on the embedded home')
  const embedded = await runTests({ script: 'test:cluster', names: ['test/home/conformance'] })
  results.push(embedded)
  const there = rowsHeld([embedded])
  console.log(`conformance: ${here} rows on kube-apiserver, ${there ?? 'none'} on the embedded home`)
  return here === there
}

function rowsHeld(results: readonly VitestResult[]): number | undefined {
  const lines = results.flatMap(({ closing }) => closing)
  const held = lines.map((line) => /^conformance: (\d+) of \1 rows hold/.exec(line)?.[1]).find(Boolean)
  return held === undefined ? undefined : Number(held)
}

process.exitCode = await main().catch((error: Error) => {
  console.log(`test:cluster: ${error.message}`)
  return 1
})
