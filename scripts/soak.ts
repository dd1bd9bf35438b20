// npm run soak -- NAME: a suite with its full counts, before work on it is called done.
import { runVitest } from './run-vitest.ts'

const RUNS: Record<string, number> = { properties: 100_000, fuzz: 20_000 }

const [name = '', ...rest] = process.argv.slice(2)
const runs = RUNS[name]
if (runs === undefined || rest.length > 0) {
  console.error(`usage: npm run soak -- ${Object.keys(RUNS).join(' | ')}`)
  process.exitCode = 2
} else {
  process.exitCode = await runVitest({ script: 'soak', names: [name], env: { TRAINYARD_RUNS: String(runs) } })
}
