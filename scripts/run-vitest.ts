import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { elapsed } from './elapsed.ts'
import { runProgram } from './run-program.ts'

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

export interface VitestRun {
  /** The script's name, first word of its last line. */
  script: string
  /** Only test files whose path contains one of these. */
  names: readonly string[]
  env?: NodeJS.ProcessEnv
  /** One file after the other, for those that would disturb each other. */
  serial?: boolean
  /** As many files at once as there are processors; vitest leaves one of them idle, which of two is half. */
  everyCore?: boolean
}

export interface VitestResult {
  code: number
  passed: number
  failed: number
  /** What its suites had to say at the end. */
  closing: string[]
}

/** Runs tests, prints the closing lines, and says the exit code: 1 too if a test was skipped or none was found. */
export async function runVitest(run: VitestRun): Promise<number> {
  return (await runTests(run)).code
}

/** The same, for a script that adds up several runs. */
export async function runTests({ script, names, env, serial, everyCore }: VitestRun): Promise<VitestResult> {
  const start = performance.now()
  const scratch = mkdtempSync(join(tmpdir(), 'trainyard-test-'))
  try {
    const reportFile = join(scratch, 'report.json')
    const closingFile = join(scratch, 'closing-lines')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
    const order = serial ? ['--no-file-parallelism'] : everyCore ? [`--maxWorkers=${availableParallelism()}`] : []
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...order, ...reporters, ...names]
    const { code } = await runProgram(process.execPath, args, {
      show: true,
      env: { ...process.env, ...env, TRAINYARD_CLOSING_LINES: closingFile },
    })
    const report = JSON.parse(readIfThere(reportFile) ?? '{"testResults":[]}') as Report
    if (report.testResults.length === 0) {
      console.log(
        `${script}: nothing was run${names.length > 0 ? `; no test file is called ${names.join(' or ')}` : ''}`,
      )
      return { code: 1, passed: 0, failed: 0, closing: [] }
    }
    const { figures, good, failed } = judge(report)
    const summary = `${script}: ${figures} (${report.testResults.length} files, ${elapsed(start)})`
    const closing = (readIfThere(closingFile) ?? '').split('\n').filter(Boolean)
    // Whoever names a suite wants to see its own figures last.
    for (const line of names.length > 0 ? [summary, ...closing] : [...closing, summary]) console.log(line)
    return { code: code === 0 && good ? 0 : 1, passed: report.numPassedTests, failed, closing }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function judge(report: Report): { figures: string; good: boolean; failed: number } {
  const skipped = report.numPendingTests + report.numTodoTests
  // A file that could not be loaded has no tests to fail; it counts by itself.
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = report.numFailedTests + broken.length
  const figures = [`${report.numPassedTests} passed`, `${failed} failed`]
  if (skipped > 0) figures.push(`${skipped} skipped, which counts as failed`)
  return { figures: figures.join(', '), good: failed === 0 && skipped === 0 && report.numPassedTests > 0, failed }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
