// npm run bench -- NAME [--smoke] [--runs N] [--only A,B]: measures, prints the ratios that matter, and writes everything to bench/results.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { elapsed } from '../scripts/elapsed.ts'
import { type BenchOptions, type BenchResult, isMet } from './result.ts'

type Bench = (options: BenchOptions) => Promise<BenchResult>

const BENCHES: Record<string, () => Promise<{ run: Bench }>> = {
  api: () => import('./api.ts'),
  cluster: () => import('./cluster.ts'),
  engine: () => import('./engine.ts'),
  run: () => import('./run.ts'),
  scheduler: () => import('./scheduler.ts'),
}

const start = performance.now()
const { values, positionals } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, runs: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
})
const [name = ''] = positionals
const load = BENCHES[name]
const runs = values.runs === undefined ? undefined : Number(values.runs)
if (!load || positionals.length > 1 || (runs !== undefined && !(Number.isInteger(runs) && runs > 0))) {
  console.error(`usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')} [--smoke] [--runs N] [--only A,B]`)
  process.exitCode = 2
} else {
  try {
    const { run } = await load()
    const result = await run({ smoke: values.smoke, runs, only: values.only?.split(',') })
    // A smoke run is too short to judge by; that it came this far is what it tells.
    if (values.smoke) console.log(`bench ${name}: ran, ${result.aims.length} figures (${elapsed(start)})`)
    else report(result)
  } catch (error) {
    console.log(`bench ${name}: ${(error as Error).message}`)
    process.exit(1)
  }
}

function report(result: BenchResult): void {
  for (const aim of result.aims) {
    const value = `${aim.value.toFixed(2)} ${aim.unit}`.padStart(12)
    console.log(`${isMet(aim) ? '✓' : '✗'} ${aim.name.padEnd(56)} ${value}   aim: at most ${aim.atMost} ${aim.unit}`)
  }
  save(result)
  const met = result.aims.filter(isMet).length
  console.log(`bench ${name}: ${met} of ${result.aims.length} aims met (${elapsed(start)})`)
  process.exitCode = met < result.aims.length ? 1 : 0
}

function save(result: BenchResult): void {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
  const at = new Date().toISOString()
  const file = join(folder, `${name}-${at.replaceAll(/[:.]/g, '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ name, at, machine, ...result }, null, 2)}\n`)
  console.log(`written: bench/results/${file.slice(folder.length + 1)}`)
}
