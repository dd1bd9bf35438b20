import { createHash } from 'node:crypto'
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listLogs } from '../../src/kubelet/logs/list-logs.ts'
import { indexPathOf, readNotes } from '../../src/kubelet/logs/log-clock.ts'
import { execInPod, openPodLog, type PodLogQuery } from '../../src/kubelet/pod-access.ts'
import { until } from './until.ts'
import { useStage } from './with-kubelet.ts'

const stage = useStage({ restartDelay: 20 })
const sh = (script: string) => ({ command: ['/bin/sh', '-c', script] })
const worker = (name = 'p') => {
  const pod = [...stage().api.pods.values()].find(({ metadata }) => metadata!.name === name)
  return stage().kubelet.workerOf(pod!.metadata!.uid!)!
}
const go = (name: string) => writeFileSync(join(stage().home, 'pods/p/work', name), '')
const wait = (name: string) => `until [ -e ${name} ]; do sleep 0.01; done`

async function collect(query: PodLogQuery, name = 'p'): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of openPodLog(worker(name), query)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('tail, limit and an unfinished last line', async () => {
  const uid = stage().run('p', sh('printf "one\\ntwo\\n\\nfour\\nfive"'))
  await stage().api.phase(uid, 'Succeeded')
  expect(await collect({})).toBe('one\ntwo\n\nfour\nfive')
  expect(await collect({ tailLines: 2 })).toBe('four\nfive')
  expect(await collect({ tailLines: 3 })).toBe('\nfour\nfive')
  expect(await collect({ tailLines: 0 })).toBe('')
  expect(await collect({ tailLines: 99 })).toBe('one\ntwo\n\nfour\nfive')
  expect(await collect({ limitBytes: 5 })).toBe('one\nt')
  const whole = stage().run('q', sh('printf "one\\ntwo\\n"'))
  await stage().api.phase(whole, 'Succeeded')
  expect(await collect({ tailLines: 1 }, 'q')).toBe('two\n')
})

test('a followed log ends with the program and misses nothing', async () => {
  const uid = stage().run('p', sh(`echo one; ${wait('a')}; echo two; ${wait('b')}; printf three`))
  await stage().line(uid, 'one')
  const followed = collect({ follow: true })
  go('a')
  await stage().line(uid, 'two')
  go('b')
  expect(await followed).toBe('one\ntwo\nthree')
})

test('lines have the times at which they were written, and can be asked for by them', async () => {
  const uid = stage().run('p', sh(`echo one; ${wait('a')}; echo two; echo three; ${wait('b')}`))
  const log = () => stage().kubelet.context.home.logDirectory(stage().api.pods.get(uid)!, 0)
  const grown = (times: number) =>
    until(`${times} times noted`, () => readNotes(join(log(), 'main.log')).length >= times)
  await grown(1)
  const between = Date.now() + 1
  await until('the clock to go on', () => Date.now() > between)
  go('a')
  await grown(2)
  go('b')
  await stage().api.phase(uid, 'Succeeded')
  expect(await collect({ since: between })).toBe('two\nthree\n')
  expect(await collect({ since: Date.now() + 1000 })).toBe('')
  const lines = (await collect({ timestamps: true })).trimEnd().split('\n')
  expect(lines.map((line) => line.replace(/^\S+Z /, ''))).toEqual(['one', 'two', 'three'])
  const times = lines.map((line) => Date.parse(line.split(' ')[0]!))
  expect(times[0]).toBeLessThan(between)
  expect(times[1]).toBeGreaterThanOrEqual(between)
})

test('a line whose time nobody noted has that of the last change of its log', async () => {
  const uid = stage().run('p', sh('echo one'))
  await stage().api.phase(uid, 'Succeeded')
  const log = join(stage().kubelet.context.home.logDirectory(stage().api.pods.get(uid)!, 0), 'main.log')
  // As it is after a program that had ended before the home looked at it.
  rmSync(indexPathOf(log), { force: true })
  utimesSync(log, 1_000_000_000, 1_000_000_000)
  expect(await collect({ timestamps: true })).toBe('2001-09-09T01:46:40.000Z one\n')
  expect(await collect({ since: Date.now() - 60_000 })).toBe('')
})

test('fifty megabytes of random bytes and a line of ten come back as they were written', async () => {
  const program = `const { randomBytes, createHash } = require('crypto'); const fs = require('fs'); const hash = createHash('sha256')
    const put = (b) => { hash.update(b); fs.writeSync(1, b) }
    for (let i = 0; i < 50; i++) put(randomBytes(1 << 20))
    put(Buffer.alloc(10 << 20, 'x')); fs.writeFileSync('hash', hash.digest('hex'))`
  const uid = stage().run('p', { command: ['node', '-e', program] })
  await stage().api.phase(uid, 'Running')
  const hash = createHash('sha256')
  for await (const chunk of openPodLog(worker(), { follow: true })) hash.update(chunk)
  await stage().api.phase(uid, 'Succeeded')
  expect(hash.digest('hex')).toBe(readFileSync(join(stage().home, 'pods/p/work/hash'), 'utf8'))
  let times = 0
  for await (const chunk of openPodLog(worker(), { tailLines: 1, timestamps: true }))
    times += chunk.subarray(0, 2).toString() === '20' ? 1 : 0
  expect(times).toBe(1)
})

test('the log of the run before, and what cannot be had', async () => {
  const { api } = stage()
  const uid = api.create('p', {
    restartPolicy: 'OnFailure',
    containers: [{ name: 'main', ...sh('[ -e x ] && { echo second; exit 0; }; touch x; echo first; exit 1') }],
  })
  await api.phase(uid, 'Succeeded')
  expect(await collect({})).toBe('second\n')
  expect(await collect({ previous: true })).toBe('first\n')
  const kept = listLogs(stage().kubelet.context.home, uid)
  expect(kept.map(({ container, run, attempt }) => [container, run, attempt])).toEqual([
    ['main', 2, 1],
    ['main', 1, 1],
  ])
  expect(() => openPodLog(worker(), { container: 'none' })).toThrow('container none is not valid for pod p')
  const two = stage().run('two', sh('exit 0'), sh('exit 0'))
  await api.phase(two, 'Succeeded')
  expect(() => openPodLog(worker('two'), {})).toThrow(
    'a container name must be specified for pod two, choose one of: [main c1]',
  )
  expect(() => openPodLog(worker('two'), { container: 'c1', previous: true })).toThrow(
    'previous terminated container "c1" in pod "two" not found',
  )
  expect(() => execInPod(worker('two'), 'c1', ['true'])).toThrow('container "c1" is not running')
})

test('a command runs beside the program, in its directory and environment', async () => {
  const uid = stage().run('p', { ...sh('echo up; sleep 600'), env: [{ name: 'odd.name', value: 'x' }] })
  await stage().line(uid, 'up')
  const script =
    'const s = []; process.stdin.on("data", (d) => s.push(d)).on("end", () => { console.log(process.cwd(), process.env["odd.name"], String(s)); console.error("err"); process.exit(9) })'
  const execution = execInPod(worker(), undefined, ['node', '-e', script])
  execution.stdin.end('input')
  // Side by side: of a stream that nobody reads, Node drops the rest when the program ends.
  const written = await Promise.all([text(execution.stdout), text(execution.stderr!)])
  expect(written).toEqual([`${join(stage().home, 'pods/p/work')} x input\n`, 'err\n'])
  expect(await execution.exitCode).toBe(9)
  expect(() => execInPod(worker(), 'main', ['no-such-program'])).toThrow(
    /^cannot start: no program "no-such-program" on its PATH/,
  )
})

test('a command on a terminal has one of the size it is given', async () => {
  const uid = stage().run('p', sh('echo up; sleep 600'))
  await stage().line(uid, 'up')
  const execution = execInPod(
    worker(),
    'main',
    ['/bin/sh', '-c', 'test -t 0 && test -t 1 && read line && stty size && echo "got $line"; exit 4'],
    true,
  )
  execution.resize(100, 30)
  execution.stdin.write('hello\n')
  expect(await text(execution.stdout)).toContain('30 100\r\ngot hello\r\n')
  expect(await execution.exitCode).toBe(4)
})

test('a followed log ends when nobody wants it any more', async () => {
  const uid = stage().run('p', sh('echo up; sleep 600'))
  await stage().line(uid, 'up')
  const abort = new AbortController()
  const log = openPodLog(worker(), { follow: true }, abort.signal)
  expect(String((await log.next()).value)).toBe('up\n')
  const next = log.next()
  abort.abort()
  expect(await next).toEqual({ done: true, value: undefined })
})
