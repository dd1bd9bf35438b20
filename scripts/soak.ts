// npm run soak -- NAME: a suite with its full counts, before work on it is called done. A count given in the environment
// (TRAINYARD_KILLS=4) is taken instead.
import { type ClusterRun, runClusterSuite } from './cluster-suites.ts'
import { elapsed } from './elapsed.ts'
import { runVitest } from './run-vitest.ts'

interface Soak {
  /** Test files whose path contains one of these. */
  names: readonly string[]
  env: NodeJS.ProcessEnv
  /** The genuine control plane it needs. */
  on?: ClusterRun['folder']
  /** What is no suite of tests; resolves with the exit code. */
  run?: (counts: Record<string, number>, say: (line: string) => void) => Promise<number>
}

const SOAKS: Record<string, Soak> = {
  properties: { names: ['properties'], env: { TRAINYARD_RUNS: '100000' } },
  fuzz: { names: ['fuzz'], env: { TRAINYARD_RUNS: '20000' } },
  // Eight named moments and any other, 26 of each.
  'crash-store': { names: ['test/crash/store'], env: { TRAINYARD_SUITE: 'crash', TRAINYARD_KILLS: '234' } },
  'crash-home': { names: ['test/crash/home'], env: { TRAINYARD_SUITE: 'crash', TRAINYARD_ROUNDS: '200' } },
  logs: { names: ['test/faults/many-logs'], env: { TRAINYARD_LOG_BYTES: String(2 ** 30) } },
  coscheduling: { names: ['test/coscheduling/'], env: {}, on: 'coscheduling' },
  cluster: {
    names: [],
    env: { TRAINYARD_JOBS: '5000', TRAINYARD_FINISHED: '10000' },
    run: async ({ TRAINYARD_JOBS: atOnce = 0, TRAINYARD_FINISHED: finished = 0 }, say) => {
      const { soakManyJobs } = await import('../bench/cluster/many-jobs.ts')
      return soakManyJobs({ atOnce, finished }, say)
    },
  },
  leaders: { names: ['test/trouble/leaders'], env: { TRAINYARD_KILLS: '50' }, on: 'trouble' },
}

const [name = '', ...rest] = process.argv.slice(2)
const soak = SOAKS[name]
if (soak === undefined || rest.length > 0) {
  console.error(`usage: npm run soak -- ${Object.keys(SOAKS).join(' | ')}`)
  process.exitCode = 2
} else {
  const start = performance.now()
  const say = (line: string): void => console.log(`soak: ${elapsed(start).padStart(7)}  ${line}`)
  const { on: folder, run, names } = soak
  const env = Object.fromEntries(Object.entries(soak.env).map(([key, count]) => [key, process.env[key] ?? count]))
  const counts = Object.fromEntries(Object.entries(env).map(([key, count]) => [key, Number(count)]))
  if (run) process.exitCode = await run(counts, say)
  else if (folder) process.exitCode = (await runClusterSuite({ script: 'soak', folder, say, names, env })).code
  else process.exitCode = await runVitest({ script: 'soak', names, env })
}
