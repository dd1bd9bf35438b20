// npm test [-- NAME…]: a name selects the test files whose path contains it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { elapsed } from './elapsed.ts'
import { runProgram } from './run-program.ts'

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; name: string; assertionResults: unknown[] }[]
}

const names = process.argv.slice(2)
const start = performance.now()
const scratch = mkdtempSync(join(tmpdir(), 'trainyard-test-'))
try {
  process.exitCode = await runTests()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function runTests(): Promise<number> {
  const reportFile = join(scratch, 'report.json')
  const closingFile = join(scratch, 'closing-lines')
  const { code } = await runProgram(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...names,
    ],
    { show: true, env: { ...process.env, TRAINYARD_CLOSING_LINES: closingFile } },
  )
  const report = readReport(reportFile)
  if (!report) {
    console.log(`test: nothing was run${names.length > 0 ? `; no test file is called ${names.join(' or ')}` : ''}`)
    return 1
  }
  const skipped = report.numPendingTests + report.numTodoTests
  // A file that could not be loaded has no tests to fail; it counts by itself.
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = report.numFailedTests + broken.length
  const figures = [`${report.numPassedTests} passed`, `${failed} failed`]
  if (skipped > 0) figures.push(`${skipped} skipped, which counts as failed`)
  const summary = `test: ${figures.join(', ')} (${report.testResults.length} files, ${elapsed(start)})`
  const closing = readClosingLines(closingFile)
  // Whoever names a suite wants to see its own figures last.
  for (const line of names.length > 0 ? [summary, ...closing] : [...closing, summary]) console.log(line)
  return code !== 0 || failed > 0 || skipped > 0 || report.numPassedTests === 0 ? 1 : 0
}

function readReport(file: string): Report | undefined {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    return report.testResults.length > 0 ? report : undefined
  } catch {
    return undefined
  }
}

function readClosingLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}
