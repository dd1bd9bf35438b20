// What programs do to themselves and to the machine: each is told in words, and the home goes on.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { markedProcesses } from '../crash/home/marked-processes.ts'
import { Bench } from '../run/run-cli.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const bench = new Bench()
afterAll(() => bench.close())

/** Whatever it was, the home runs the next job. */
afterEach(async () => {
  const { code, stdout } = await bench.run('run', '-f', bench.job('after', 'echo well'), '--replace')
  expect([code, stdout]).toEqual([0, 'worker-0 | well\n'])
})

test('a program that closes its output goes on, and ends as it likes', async () => {
  const { code, stdout, stderr } = await bench.run('run', '-f', bench.job('mute', 'echo a; exec >&- 2>&-; exit 4'))
  expect([code, stdout]).toEqual([1, 'worker-0 | a\n'])
  expect(stderr).toContain('worker-0 failed: exit 4, nothing on stderr\n')
})

test('zombies that nobody waits for hold up neither the end nor the deletion of a job', async () => {
  const zombies = '(exit 0) & (exit 0) & echo here; exec sleep'
  expect((await bench.run('run', '-f', bench.job('zombies', `${zombies} 0.2`))).code).toBe(0)
  const run = bench.start('run', '-f', bench.job('undead', `${zombies} 1000`))
  await run.sees('worker-0 | here')
  expect((await bench.run('delete', 'undead')).code).toBe(0)
  expect((await run.ran).stderr).toMatch(/undead was deleted\n$/)
})

test('what forks away or forks twice goes with the job that started it', async () => {
  bench.env.FAULT_MARK = `fault-${process.pid}`
  const away = `setsid sleep 1000 & (setsid sh -c 'trap "" TERM; sleep 1000 & wait' &); echo here; sleep 1000`
  const manifest = bench.job('away', `export FAULT_MARK=${bench.env.FAULT_MARK}; ${away}`)
  const run = bench.start('run', '-f', manifest)
  await run.sees('worker-0 | here')
  const mark = `FAULT_MARK=${bench.env.FAULT_MARK}\0`
  delete bench.env.FAULT_MARK
  await expect.poll(() => markedProcesses(mark).length).toBeGreaterThan(3)
  run.child.kill('SIGINT')
  await run.ran
  expect((await bench.run('delete', 'away')).code).toBe(0)
  await expect.poll(() => markedProcesses(mark)).toEqual([])
})

test.each([
  ['nosuchsidecar', /container mesh cannot start: no program "nosuchsidecar" on its PATH/],
  ['sh, -c, "exit 3"', /container mesh ends again and again: exit 3/],
])('what waits for the sidecar [%s] says so, in run and in the status', async (command, words) => {
  const file = bench.job('meshed', 'echo trains')
  const probe = 'startupProbe: {exec: {command: ["false"]}}'
  const mesh = `initContainers: [{name: mesh, image: m, restartPolicy: Always, ${probe}, command: [${command}]}]`
  bench.file(file, readFileSync(join(bench.dir, file), 'utf8').replace('containers:', `${mesh}, containers:`))
  const run = bench.start('run', '-f', file)
  await run.sees('worker-0 waits: container mesh ')
  const { stdout } = await bench.run('get', 'meshed', '-o', 'json')
  const { status } = JSON.parse(stdout) as { status: { conditions: { type: string; message: string }[] } }
  expect(status.conditions.find(({ type }) => type === 'HeldUp')?.message).toMatch(words)
  expect((await bench.run('delete', 'meshed')).code).toBe(0)
  expect((await run.ran).stderr).toMatch(words)
})

test('a port that is in use is the program’s own failure, with its own words', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const script = `node -e 'require(\\"net\\").createServer().listen(${port}, \\"127.0.0.1\\")'`.replaceAll('\\"', '"')
  const { code, stderr, stdout } = await bench.run('run', '-f', bench.job('port', script))
  expect(code).toBe(1)
  expect(stdout).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`)
  expect(stderr).toMatch(/worker-0 failed: exit 1\n/)
  const other = new Bench()
  const up = await other.run('up', '--port', String(port))
  await other.close()
  server.close()
  expect(up.code).toBe(3)
  expect(up.stderr).toContain(`port ${port} is in use`)
})

test('a directory that cannot be made is no home', async () => {
  const other = new Bench()
  other.env.TRAINYARD_HOME = '/proc/nowhere/home'
  const [up, foreground] = [await other.run('up'), await other.run('up', '--foreground')]
  expect([up.code, foreground.code]).toEqual([3, 3])
  expect(up.stderr).toContain('cannot keep a home in /proc/nowhere/home (ENOENT)')
  expect(foreground.stdout).toContain('cannot keep a home in /proc/nowhere/home (ENOENT)')
})

test('two hundred replicas on a small machine all run, once each', async () => {
  const manifest = bench.job('many', 'echo here')
  const text = bench.read(manifest).replace('replicas: 1', 'replicas: 200').replace('[0]', '["0-63"]')
  const { code, stdout } = await bench.run('run', '-f', bench.file(manifest, text))
  const lines = stdout.split('\n').filter(Boolean)
  expect(lines.every((line) => / \| here$/.test(line))).toBe(true)
  expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(lines.length)
  expect(lines.length).toBeGreaterThanOrEqual(64)
  expect(code).toBe(0)
})
