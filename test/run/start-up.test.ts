// What a command loads is most of what its users wait for.
import { afterAll, expect, test } from 'vitest'
import { Bench } from './run-cli.ts'

const bench = new Bench()
afterAll(() => bench.close())

/** Each takes Node longer than reading a manifest. */
const HEAVY = ['crypto', 'tls', 'https', 'internal/deps/undici/undici']

const TELL = `process.on('exit', () => {
  if (process.argv[2] === 'run') require('node:fs').writeFileSync('loaded.json', JSON.stringify(process.moduleLoadList))
})
`

test('run loads nothing of Node that only networks and secrets need', async () => {
  bench.env.NODE_OPTIONS = `--require ./${bench.file('tell.cjs', TELL)}`
  const { code, stdout } = await bench.run('run', '-f', bench.job('hello', 'echo hello'))
  expect([code, stdout]).toEqual([0, 'worker-0 | hello\n'])
  const loaded = JSON.parse(bench.read('loaded.json')) as string[]
  expect(loaded).toContain('NativeModule net')
  expect(loaded.filter((name) => HEAVY.includes(name.replace('NativeModule ', '')))).toEqual([])
})
