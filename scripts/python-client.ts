import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from './real/places.ts'
import { runProgram } from './run-program.ts'

export const PYTHON_CLIENT_VERSION = '37.0.2'

/** A Python that has the official Kubernetes client, in the cache; made if it is not there. */
export async function buildPythonClient(say: (line: string) => void): Promise<string> {
  const dir = join(cacheDir(), 'python', `kubernetes-${PYTHON_CLIENT_VERSION}`)
  const python = join(dir, 'bin', 'python')
  const done = join(dir, 'bin', 'done')
  if (existsSync(done)) return python
  say(`installing the Python client ${PYTHON_CLIENT_VERSION}`)
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', dir],
    [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `kubernetes==${PYTHON_CLIENT_VERSION}`],
    [python, '-c', `open(${JSON.stringify(done)}, 'w').close()`],
  ] as const) {
    const { code, output } = await runProgram(program, args)
    if (code !== 0) throw new Error(`the Python client cannot be installed:\n${output.trimEnd()}`)
  }
  return python
}
