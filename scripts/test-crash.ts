// npm run test:crash [-- store|home] [--kills N] [--rounds N]: servers and homes killed in the midst of it, and what
// must have survived.
import { parseArgs } from 'node:util'
import { runVitest } from './run-vitest.ts'

const { values, positionals } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, rounds: { type: 'string', default: '25' } },
  allowPositionals: true,
})
process.exitCode = await runVitest({
  script: 'test:crash',
  // The whole path: a checkout may well lie in somebody's home.
  names: positionals.map((name) => `test/crash/${name}`),
  env: { TRAINYARD_SUITE: 'crash', TRAINYARD_KILLS: values.kills, TRAINYARD_ROUNDS: values.rounds },
})
