import { mustRun } from '../../scripts/run-program.ts'

export interface Counted {
  seconds: number
  /** CPU seconds of the program and of all its children that it waited for. */
  cpu: number
}

/** Runs a program to its end; a shell around it counts what it cost. */
export async function runCounted(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Counted> {
  const start = performance.now()
  const script = '"$@" >&2; code=$?; times; exit $code'
  const output = await mustRun('sh', ['-c', script, 'sh', ...argv], { env, cwd })
  const seconds = (performance.now() - start) / 1000
  const [, children] = output.match(/^\d+m[\d.]+s \d+m[\d.]+s$/gm) ?? []
  const times = [...(children ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s))
  return { seconds, cpu: times.reduce((sum, each) => sum + each, 0) }
}
