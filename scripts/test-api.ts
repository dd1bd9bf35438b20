// npm run test:api [-- NAME…]: genuine clients against the embedded server.
import { elapsed } from './elapsed.ts'
import { buildPrograms } from './real/build.ts'
import { runVitest } from './run-vitest.ts'

const start = performance.now()
const say = (line: string): void => console.log(`test:api: ${elapsed(start).padStart(7)}  ${line}`)

await buildPrograms(['kubectl'], say)
process.exitCode = await runVitest({
  script: 'test:api',
  names: process.argv.slice(2),
  env: { TRAINYARD_SUITE: 'api' },
})
