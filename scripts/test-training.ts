// npm run test:training [-- NAME…]: the examples that need a framework, with genuine torch and TensorFlow.
import { elapsed } from './elapsed.ts'
import { buildPrograms } from './real/build.ts'
import { runVitest } from './run-vitest.ts'
import { withElasticNodes } from './training/elastic-nodes.ts'
import { EXAMPLES, type TrainingSuite } from './training/examples.ts'
import { FRAMEWORKS, type FrameworkName, provideFramework } from './training/frameworks.ts'

const names = process.argv.slice(2)
const start = performance.now()
const say = (line: string): void => console.log(`test:training: ${elapsed(start).padStart(7)}  ${line}`)

async function main(): Promise<number> {
  const wanted = EXAMPLES.filter(({ name }) => names.length === 0 || names.some((each) => name.includes(each)))
  if (wanted.length === 0) {
    console.log(`test:training: no example is called ${names.join(' or ')}; there are ${listed(EXAMPLES)}`)
    return 1
  }
  const programs = new Map<FrameworkName, string>()
  const missing = new Set<FrameworkName>()
  for (const framework of new Set(wanted.map(({ needs }) => needs))) {
    try {
      programs.set(framework, await provideFramework(framework, say))
    } catch (error) {
      missing.add(framework)
      say(`${framework} cannot be installed: ${(error as Error).message}`)
    }
  }
  let done = 0
  if (wanted.some(({ kubectl }) => kubectl)) await buildPrograms(['kubectl'], say)
  for (const suite of wanted) if (programs.has(suite.needs) && (await train(suite, programs))) done++
  const versions = [...new Set(wanted.map(({ needs }) => needs))].map((framework) =>
    missing.has(framework) ? `${framework} could not be installed` : `${framework} ${FRAMEWORKS[framework].version}`,
  )
  console.log(`training: ${done} of ${wanted.length} examples, ${versions.join(', ')}`)
  return done === wanted.length ? 0 : 1
}

/** One after the other: each alone is enough for two cores. */
async function train({ name, nodes }: TrainingSuite, programs: ReadonlyMap<FrameworkName, string>): Promise<boolean> {
  say(name)
  const frameworks = Object.fromEntries(
    [...programs].map(([framework, bin]) => [`TRAINYARD_${framework.toUpperCase()}`, bin]),
  )
  const run = (env: NodeJS.ProcessEnv = {}): Promise<number> =>
    runVitest({
      script: name,
      names: [`test/training/${name}.test.ts`],
      env: { TRAINYARD_SUITE: 'training', ...frameworks, ...env },
    })
  try {
    return (await (nodes === undefined ? run() : withElasticNodes(nodes, say, run))) === 0
  } catch (error) {
    say(`${name}: ${(error as Error).message}`)
    return false
  }
}

function listed(examples: typeof EXAMPLES): string {
  return examples.map(({ name }) => name).join(', ')
}

process.exitCode = await main().catch((error: Error) => {
  console.log(`test:training: ${error.message}`)
  return 1
})
