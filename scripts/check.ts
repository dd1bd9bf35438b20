// npm run check [-- NAME…]: everything that can be said about the checkout without running the tests.
import { checkBorders } from './check/borders.ts'
import { checkDocExamples } from './check/doc-examples.ts'
import { checkDocLinks } from './check/doc-links.ts'
import { runTool, type Step, type StepResult } from './check/step.ts'
import { checkUnrunTests } from './check/unrun-tests.ts'
import { elapsed } from './elapsed.ts'

const node = process.execPath
const tool = (name: string): string => `node_modules/.bin/${name}`

// Long ones first: they are started in this order, two at a time.
const STEPS: Step[] = [
  { name: 'types', run: () => runTool(tool('tsc'), ['-p', '.']) },
  { name: 'npm ci', run: () => runTool('npm', ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund']) },
  { name: 'generated files', run: () => runTool(node, ['scripts/generate/index.ts', '--check']) },
  {
    name: 'biome',
    run: () => runTool(tool('biome'), ['check', '--error-on-warnings', '--colors=off', '--max-diagnostics=10']),
  },
  { name: 'borders', run: checkBorders },
  { name: 'coverage', run: async () => (await import('./check/coverage.ts')).checkCoverage() },
  { name: 'unrun tests', run: checkUnrunTests },
  { name: 'doc links', run: checkDocLinks },
  { name: 'doc examples', run: checkDocExamples },
]

const names = process.argv.slice(2)
const steps = STEPS.filter((step) => names.length === 0 || names.some((name) => step.name.includes(name)))
const start = performance.now()
const failed: string[] = []
const closing: string[] = []

async function runNext(queue: Step[]): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) {
    const begun = performance.now()
    const result = await step.run().catch((error: Error): StepResult => ({ problems: [error.message] }))
    const good = result.problems.length === 0
    console.log(`${good ? '✓' : '✗'} ${step.name.padEnd(16)} ${elapsed(begun)}`)
    for (const problem of result.problems) console.log(problem.replace(/^/gm, '    '))
    if (!good) failed.push(step.name)
    if (result.closing) closing.push(result.closing)
  }
}

const queue = [...steps]
await Promise.all([runNext(queue), runNext(queue)])
const bad = failed.length > 0 || steps.length === 0
console.log(
  steps.length === 0
    ? `check: no step is called ${names.join(' or ')}`
    : `check: ${steps.length - failed.length} of ${steps.length} in order${bad ? `, not ${failed.join(', ')}` : ''} (${elapsed(start)})`,
)
for (const line of closing) console.log(line)
process.exitCode = bad ? 1 : 0
