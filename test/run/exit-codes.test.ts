// Each exit code of the golden transcript's table, by every way that leads to it.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Bench } from './run-cli.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const bench = new Bench()
const absent = new Bench()
afterAll(() => Promise.all([bench.close(), absent.close()]))

beforeAll(async () => {
  bench.job('good', 'exit 0')
  bench.job('bad', 'exit 9')
  bench.job('long', 'echo here; sleep 1000')
  bench.file('wrong.yaml', bench.read('good.yaml').replace('replicas: 1', 'replicas: 0'))
  bench.file('broken.yaml', 'a: [')
  const cluster = { clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }], users: [] }
  const contexts = [{ name: 'lab', context: { cluster: 'c' } }]
  bench.file('kubeconfig', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...cluster, contexts }))
  expect((await bench.run('run', '-f', 'long.yaml', '--detach')).code).toBe(0)
})

const LAB = ['--kubeconfig', 'kubeconfig', '--context', 'lab']

test.each<[number, string, string[]]>([
  [0, 'the job succeeded', ['run', '-f', 'good.yaml']],
  [0, 'it has succeeded already', ['wait', 'good']],
  [0, 'done as asked', ['get']],
  [1, 'the job failed', ['run', '-f', 'bad.yaml']],
  [1, 'it has failed already', ['wait', 'bad']],
  [1, 'a finished job never runs again', ['run', '-f', 'good.yaml']],
  [1, 'the manifest is invalid', ['run', '-f', 'wrong.yaml']],
  [1, 'the manifest is no YAML', ['run', '-f', 'broken.yaml']],
  [1, 'the object does not exist', ['get', 'nothing']],
  [1, 'there is nothing to delete', ['delete', 'nothing']],
  [2, 'an unknown flag', ['run', '--what']],
  [2, 'an unknown command', ['fly']],
  [2, 'a job to be deleted by nobody', ['run', '-f', 'good.yaml', '--replace', '--detach', '--rm']],
  [2, 'a missing file', ['run', '-f', 'nowhere.yaml']],
  [2, 'a missing argument', ['wait']],
  [3, 'the cluster cannot be reached', ['run', '-f', 'good.yaml', ...LAB]],
  [3, 'nor when it is asked', ['get', ...LAB]],
  [3, 'there is no such context', ['get', '--kubeconfig', 'kubeconfig', '--context', 'other']],
  [124, '--timeout of run passed', ['run', '-f', 'long.yaml', '--timeout', '1s']],
  [124, '--timeout of wait passed', ['wait', 'long', '--timeout', '1s']],
  [124, '--timeout of wait in seconds', ['wait', 'long', '--timeout', '1']],
  [0, 'what is so already needs no time', ['wait', 'good', '--timeout', '0']],
])('%i: %s', async (code, _, args) => {
  const ran = await bench.run(...args)
  expect(ran.code, ran.stderr).toBe(code)
  // Whatever is not as asked is explained, on standard error alone.
  if (code > 1) expect(ran.stderr).toMatch(/^trainyard: /m)
})

test('1: there is no such namespace, and the hint makes it', async () => {
  const { code, stderr } = await bench.run('run', '-f', 'good.yaml', '-n', 'team')
  expect(code).toBe(1)
  const manifest = /^trainyard: the home has no namespace team\n {2}make it {2}echo '(.*)' \| trainyard apply -f -$/m
  bench.file('team.yaml', manifest.exec(stderr)?.[1] ?? '')
  expect((await bench.run('apply', '-f', 'team.yaml')).code).toBe(0)
  expect((await bench.run('run', '-f', 'good.yaml', '-n', 'team')).code).toBe(0)
})

test('3: no home is running', async () => {
  expect((await absent.run('get')).code).toBe(3)
})

test.each([
  ['once: detached', 1],
  ['twice: stopped', 2],
])('130: Ctrl-C %s', async (_, times) => {
  const run = bench.start('run', '-f', 'long.yaml')
  await run.sees('is there already')
  run.child.kill('SIGINT')
  await run.sees('goes on without')
  if (times === 2) run.child.kill('SIGINT')
  expect((await run.ran).code).toBe(130)
  expect((await bench.run('get', 'long')).code).toBe(times - 1)
})
