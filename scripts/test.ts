// npm test [-- NAME…]: a name selects the test files whose path contains it.
import { runVitest } from './run-vitest.ts'

process.exitCode = await runVitest({ script: 'test', names: process.argv.slice(2), everyCore: true })
