// npm run test:crash [-- store] [--kills N]: servers killed in the midst of it, and what must have survived.
import { parseArgs } from 'node:util'
import { runVitest } from './run-vitest.ts'

const { values, positionals } = parseArgs({
  options: { kills: { type: 'string', default: '10' } },
  allowPositionals: true,
})
process.exitCode = await runVitest({
  script: 'test:crash',
  names: positionals,
  env: { TRAINYARD_SUITE: 'crash', TRAINYARD_KILLS: values.kills },
})
