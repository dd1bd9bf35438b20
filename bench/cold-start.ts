import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowerQuartile } from './measure.ts'

const root = join(import.meta.dirname, '..')
const REPORT = join(import.meta.dirname, 'report-usage.cjs')

/** What is packed, as it lies where it is installed; the same launcher in the checkout would run the sources. */
export function unpackBuilt(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(root, name), join(dir, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  return dir
}

/** CPU milliseconds of a Node process from start to exit. */
function cpuOf(args: readonly string[]): number {
  const { status, output } = spawnSync(process.execPath, ['--require', REPORT, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')}: exit code ${status}`)
  return Number(output[3]) / 1000
}

/** What a command costs beyond Node's own start. Both are measured in turn, so that a busy moment meets both. */
export function coldStart(
  args: readonly string[],
  rounds: number,
): { cpuMs: number; nodeMs: number; beyondMs: number } {
  const command: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(cpuOf(['-e', '0']))
    command.push(cpuOf(args))
  }
  const [cpuMs, nodeMs] = [lowerQuartile(command), lowerQuartile(bare)]
  return { cpuMs, nodeMs, beyondMs: cpuMs - nodeMs }
}
