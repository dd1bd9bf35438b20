// One job from apply to delete, with a restart and a pause, told by every command on the way.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Ran, trainyardIn, trainyardWithInput } from './trainyard.ts'

const folder = mkdtempSync(join(tmpdir(), 'trainyard-jobs-'))
const trainyard = trainyardIn(join(folder, 'home'))
const trainyardReading = trainyardWithInput(join(folder, 'home'))
const file = join(folder, 'job.yaml')
const sign = (name: string): void => writeFileSync(join(folder, name), '')
const until = (name: string): string => `until [ -e ${join(folder, name)} ]; do sleep 0.05; done`

/** The first life of a-0 fails when told; b-0 ends in mid-line, with bytes that are no text. */
const a = [
  'echo start',
  `if [ ! -e ${join(folder, 'failed')} ]; then ${until('fail')}; touch ${join(folder, 'failed')}; echo oops; exit 3; fi`,
  'echo again',
  until('go'),
  'echo done',
].join('\n')
const b = `echo hello; ${until('go')}; printf 'bye\\377'`
const replica = (type: string, command: string) => ({
  type,
  restartPolicy: { policy: 'OnFailure', limit: 3 },
  template: { spec: { containers: [{ name: 'main', image: 'none', command: ['sh', '-c', command] }] } },
})
writeFileSync(
  file,
  JSON.stringify({
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'GenericJob',
    metadata: { name: 'pair' },
    spec: {
      successRules: [{ a: [0], b: [0] }],
      failureRules: [{ a: [0] }],
      replicaSpecs: [replica('a', a), replica('b', b)],
    },
  }),
)

let following: Promise<Ran>

afterAll(async () => {
  await trainyard('down', '--force', '--purge')
  rmSync(folder, { recursive: true, force: true })
})

/** Asks again until the answer fits; the test's own time limit ends it. */
async function eventually(args: string[], fits: (ran: Ran) => boolean): Promise<Ran> {
  for (;;) {
    const ran = await trainyard(...args)
    if (fits(ran)) return ran
  }
}

test('without a home there is nobody to answer', async () => {
  const ran = await trainyard('get')
  expect(ran).toMatchObject({ code: 3, stdout: '' })
  expect(ran.stderr).toBe(`trainyard: no home is running in ${join(folder, 'home')}\n  start it  trainyard up\n`)
})

test('a job is applied once, and found unchanged then', async () => {
  expect((await trainyard('up')).code).toBe(0)
  expect(await trainyard('get')).toMatchObject({ code: 0, stdout: '', stderr: 'no jobs in namespace default\n' })
  const name = 'genericjob.batch.tensorstack.dev/pair'
  expect(await trainyard('apply', '-f', file)).toMatchObject({ code: 0, stdout: `${name} created\n` })
  expect(await trainyard('wait', 'pair', '--for=Running')).toMatchObject({ code: 0, stdout: 'pair is Running\n' })
  expect(await trainyard('apply', '-f', file)).toMatchObject({ code: 0, stdout: `${name} unchanged\n` })
  const again = await trainyard('create', '-f', file)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toBe(
    `trainyard: GenericJob pair exists already\n  change it  trainyard apply -f ${file}\n  remove it  trainyard delete pair\n`,
  )
})

test('what is no job is not said to be deleted like one', async () => {
  const settings = join(folder, 'the settings.yaml')
  writeFileSync(settings, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n')
  expect((await trainyard('create', '-f', settings)).code).toBe(0)
  expect(await trainyard('create', '-f', settings)).toMatchObject({
    code: 1,
    stderr: `trainyard: ConfigMap settings exists already\n  change it  trainyard apply -f '${settings}'\n`,
  })
})

test('a job of any namespace is found by its name with -A', async () => {
  const elsewhere = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    { ...JSON.parse(readFileSync(file, 'utf8')), metadata: { name: 'far', namespace: 'team' } },
  ]
  const both = join(folder, 'elsewhere.yaml')
  writeFileSync(both, elsewhere.map((object) => JSON.stringify(object)).join('\n---\n'))
  expect((await trainyard('apply', '-f', both)).code).toBe(0)
  expect(await trainyard('get', '-A', 'far', '-o', 'name')).toMatchObject({
    code: 0,
    stdout: 'genericjob.batch.tensorstack.dev/far\n',
  })
  expect(await trainyard('get', '-A', 'nothing')).toMatchObject({
    code: 1,
    stderr: 'trainyard: no job "nothing" in any namespace; there are far, pair\n',
  })
  expect(await trainyard('get', '-A', 'pj/far')).toMatchObject({ code: 1 })
})

test('a deleted job is shown as -o says', async () => {
  const name = 'genericjob.batch.tensorstack.dev/far\n'
  expect(await trainyard('delete', '-n', 'team', 'far', '-o', 'name')).toMatchObject({ code: 0, stdout: name })
  expect(await trainyard('wait', '-n', 'team', 'far', '--for=Deleted')).toMatchObject({
    code: 0,
    stdout: 'far is not there\n',
  })
})

test('a restarted replica is counted, and its logs are followed', async () => {
  following = trainyard('logs', '-f', 'pair')
  sign('fail')
  const ran = await eventually(['get', 'pair'], ({ stdout }) => /Running +2\/2 +1 /.test(stdout))
  expect(ran.stdout).toMatch(
    /^NAME {11}KIND {19}PHASE {6}RUNNING {2}RESTARTS {2}DURATION +AGE\npair {11}GenericJob {13}Running {8}2\/2 {9}1 +\d+s +\d+s\n$/,
  )
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect((await trainyard('get', 'pair', '-o', 'name')).stdout).toBe('genericjob.batch.tensorstack.dev/pair\n')
  expect(JSON.parse((await trainyard('get', '-o', 'json')).stdout)).toMatchObject({
    kind: 'List',
    items: [{ kind: 'GenericJob', metadata: { name: 'pair' } }],
  })
})

test('a pause stops the pods and keeps the counters', async () => {
  const paused = await trainyard('pause', 'pair')
  expect(paused.code).toBe(0)
  expect(paused.stdout).toMatch(
    /^pair {2}Running → Paused {3}2 pods stopped in \d+\.\d s; restarts used so far \(1\) are kept\n$/,
  )
  expect(paused.stderr).toMatch(/ {2}go on {2}trainyard resume pair\n$/)
  expect((await trainyard('pause', 'pair')).stdout).toBe('pair is Paused already\n')
  const waited = await trainyard('wait', 'pair', '--timeout', '1s')
  expect(waited).toMatchObject({ code: 124, stdout: '' })
  expect(waited.stderr).toMatch(/trainyard: pair is Paused after 1s of waiting for Succeeded; it goes on\n$/)
  const resumed = await trainyard('resume', 'pair')
  expect(resumed.code).toBe(0)
  expect(resumed.stdout).toMatch(/^pair {2}Paused → (Resuming → )?Running {3}2 of 2 running after \d+\.\d s\n$/)
})

test('a command runs beside a replica, with its exit code', async () => {
  const ran = await trainyard('exec', 'pair', 'b-0', '--', 'sh', '-c', 'pwd; echo hm >&2; exit 7')
  expect(ran).toMatchObject({ code: 7, stderr: 'hm\n' })
  expect(ran.stdout).toMatch(/pods\/pair-\w{5}-b-0\/work\n$/)
  expect(await trainyardReading('abc', 'exec', '-i', 'pair', 'a-0', '--', 'tr', 'a-z', 'A-Z')).toMatchObject({
    code: 0,
    stdout: 'ABC',
  })
  const missing = await trainyard('exec', 'pair', 'a-0', '--', 'no-such-program')
  expect(missing.code).toBe(1)
  expect(missing.stderr).toMatch(/^trainyard: cannot start: no program "no-such-program" on its PATH/)
})

test('a shell opens in a copy that is gone afterwards', async () => {
  const ran = await trainyardReading('printf %s "$TRAINYARD_COMMAND"', 'debug', 'pair', 'b-0')
  expect(ran.stdout).toBe(`sh -c 'echo hello; ${until('go')}; printf '\\''bye\\377'\\'''`)
  expect(ran.stderr).toMatch(/^debug {4}pair-debug created: a copy of pair in debug mode; nothing trains/)
  expect(ran.stderr).toMatch(/\ndebug {4}pair-debug deleted \(keep it with --keep\)\n$/)
  expect((await trainyard('get', '-o', 'name')).stdout).toBe('genericjob.batch.tensorstack.dev/pair\n')
})

test('what cannot be is refused in words', async () => {
  for (const [args, code, words] of [
    [['scale', 'pair', '3'], 1, 'pair is not elastic; spec.elastic.enable and torchrun are needed to change its size'],
    [['scale', 'pair', 'many'], 2, 'scale needs a number of nodes; "many" is none'],
    [['get', 'nothing'], 1, 'no job "nothing" in namespace default; there is pair'],
    [['get', '-o', 'xml'], 2, '-o xml: the formats are json, yaml, name and wide'],
    [['logs', 'pair', '--replica', 'c-0'], 1, 'pair has no c-0, only a-0, b-0'],
    [['wait', 'pair', '--for', 'lunch'], 2, '--for=lunch: it is one of'],
  ] as const) {
    const ran = await trainyard(...args)
    expect(ran.stderr).toMatch(`trainyard: ${words}`)
    expect(ran).toMatchObject({ code, stdout: '' })
  }
})

test('the end is awaited, and a finished job is left alone', async () => {
  sign('go')
  const waited = await trainyard('wait', 'pair')
  expect(waited.code).toBe(0)
  expect(waited.stdout).toMatch(/^pair has Succeeded after \d+s\n$/)
  expect(await trainyard('pause', 'pair')).toMatchObject({
    code: 1,
    stderr: 'trainyard: pair has Succeeded; a finished job cannot be paused\n',
  })
})

test('logs of all attempts are one stream, and exact for one replica', async () => {
  const { stdout } = await trainyard('logs', 'pair')
  const of = (text: string, label: string): string[] =>
    text.split('\n').flatMap((line) => (line.startsWith(`${label.padEnd(5)} | `) ? [line.slice(8)] : []))
  expect(of(stdout, 'a-0')).toEqual(['start', 'oops'])
  expect(of(stdout, 'a-0#2')).toEqual(['start', 'again'])
  expect(of(stdout, 'a-0#3')).toEqual(['start', 'again', 'done'])
  expect(of(stdout, 'b-0#2')).toEqual(['hello', 'bye\ufffd'])
  const exact = await trainyard('logs', 'pair', '--replica', 'b-0', '--attempt', '2', '--no-prefix')
  expect(exact.bytes).toEqual(Buffer.from('hello\nbye\xff', 'latin1'))
  const tail = await trainyard('logs', 'pair', '--replica', 'a-0', '--tail', '1', '--timestamps')
  expect(tail.stdout).toMatch(/^\S+Z a-0 {3}\| oops\n\S+Z a-0#2 \| again\n\S+Z a-0#3 \| done\n$/)
  const followed = await following
  expect(followed.code).toBe(0)
  expect(
    followed.stdout
      .split('\n')
      .map((line) => line.replace(/^(\S+) +\|/, '$1 |'))
      .sort(),
  ).toEqual(
    stdout
      .split('\n')
      .map((line) => line.replace(/^(\S+) +\|/, '$1 |'))
      .sort(),
  )
})

test('a description tells of every attempt', async () => {
  const { stdout, code } = await trainyard('describe', 'pair')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Name: {8}pair {32}Kind: {6}GenericJob\n/)
  expect(stdout).toMatch(/\n {2}a-0 {9}0 {2}Failed {11}1 {5}3 +\d+s {2}pair-\w{5}-a-0\n {17}Stopped {10}2 {5}- +\d+s/)
  expect(stdout).toMatch(/\n {17}Succeeded {8}3 {5}0 +\d+s {2}pair-\w{5}-a-0\n/)
  expect(stdout).toMatch(/Warning {2}ReplicaFailed +a-0 +exit 3\n/)
  const data = JSON.parse((await trainyard('describe', 'pair', '-o', 'json')).stdout)
  expect(data).toMatchObject({ name: 'pair', phase: 'Succeeded', restarts: { used: 1 } })
  expect(data.replicas[0].attempts.map((each: { exitCode?: number }) => each.exitCode)).toEqual([3, undefined, 0])
  expect((await trainyard('events', 'pair')).stdout).toMatch(/Normal +Paused +job +spec.runMode.pause; 2 pods stopped/)
})

test('a deleted job is gone with all that was its own', async () => {
  expect(await trainyard('delete', 'pair')).toMatchObject({ code: 0, stdout: 'pair deleted (2 pods, logs)\n' })
  expect(await trainyard('get', 'pair')).toMatchObject({
    code: 1,
    stderr: 'trainyard: no job "pair" in namespace default; there are none\n',
  })
})
