// npm run test:api [-- NAME…]: genuine clients against the embedded server.
import { elapsed } from './elapsed.ts'
import { buildPythonClient } from './python-client.ts'
import { buildPrograms } from './real/build.ts'
import { runVitest } from './run-vitest.ts'

const start = performance.now()
const say = (line: string): void => console.log(`test:api: ${elapsed(start).padStart(7)}  ${line}`)

try {
  await buildPrograms(['kubectl'], say)
  const env = { TRAINYARD_SUITE: 'api', TRAINYARD_PYTHON: await buildPythonClient(say) }
  process.exitCode = await runVitest({ script: 'test:api', names: process.argv.slice(2), env })
} catch (error) {
  console.log(`test:api: ${(error as Error).message}`)
  process.exitCode = 1
}
