// Jobs that are meant by their labels, their manifests or all at once.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTrainyard, trainyardIn, trainyardWithInput } from './trainyard.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const folder = mkdtempSync(join(tmpdir(), 'trainyard-many-'))
const trainyard = trainyardIn(join(folder, 'home'))

/** Paused, so that nothing of it runs. */
const job = (name: string, labels: Record<string, string> = {}, namespace = 'default'): object => ({
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'GenericJob',
  metadata: { name, labels, namespace },
  spec: {
    runMode: { pause: { enabled: true } },
    successRules: [{ w: [0] }],
    failureRules: [{ w: [0] }],
    replicaSpecs: [
      { type: 'w', template: { spec: { containers: [{ name: 'c', image: 'none', command: ['sleep', '100'] }] } } },
    ],
  },
})

async function apply(name: string, ...objects: object[]): Promise<string> {
  const file = join(folder, name)
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  const ran = await trainyard('apply', '-f', file)
  expect(ran.code, ran.stderr).toBe(0)
  return file
}

const namesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.split('/')[1] ?? [])

beforeAll(async () => {
  expect((await trainyard('up')).code).toBe(0)
  await apply('labelled.yaml', job('one', { team: 'a', size: 's' }), job('two', { team: 'b' }), job('three'))
})

afterAll(async () => {
  await trainyard('down', '--force', '--purge')
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['team=a', ['one']],
  ['team==b', ['two']],
  ['team!=a', ['three', 'two']],
  ['team in (a, b)', ['one', 'two']],
  ['team notin (a)', ['three', 'two']],
  ['team,!size', ['two']],
])('get -l %s', async (selector, names) => {
  const ran = await trainyard('get', '-o', 'name', '-l', selector)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(namesOf(ran.stdout)).toEqual(names)
})

test('labels that no job has, no labels at all, and labels beside a name', async () => {
  expect(await trainyard('get', '-l', 'team=c')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'no jobs with labels team=c in namespace default\n',
  })
  const wrong = await trainyard('get', '-l', 'team in a')
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/^trainyard: -l team in a: /)
  expect(await trainyard('get', 'one', '-l', 'team=a')).toMatchObject({
    code: 2,
    stderr: 'trainyard: get takes names or -l, not both\n  try  trainyard get --help\n',
  })
})

test('get --watch goes on with a row for every change, until Ctrl-C', async () => {
  const watching = startTrainyard(join(folder, 'home'), 'get', '--watch', '-l', 'team')
  const seen = (line: RegExp) => vi.waitFor(() => expect(watching.stdout()).toMatch(line), { timeout: 60_000 })
  await seen(/^NAME .*\none .* Paused .*\ntwo .* Paused .*\n$/)
  await apply('later.yaml', job('four', { team: 'c' }), job('five'))
  await seen(/\nfour .* Paused /)
  expect((await trainyard('delete', 'four')).code).toBe(0)
  watching.child.kill('SIGINT')
  expect(await watching.signal).toBe('SIGINT')
  expect(watching.stdout().match(/^NAME/gm)).toHaveLength(1)
  expect(watching.stdout()).not.toMatch(/^(three|five)/m)
})

test('where there is nothing yet, the header comes with the first row', async () => {
  const watching = startTrainyard(join(folder, 'home'), 'get', '-w', '-l', 'team=d')
  const names = startTrainyard(join(folder, 'home'), 'get', 'three', '-w', '-o', 'name')
  const of = (watched: typeof names, said: RegExp) =>
    vi.waitFor(() => expect(watched.stdout() + watched.stderr()).toMatch(said), { timeout: 60_000 })
  await of(watching, /^no jobs with labels team=d/)
  await of(names, /three\n$/)
  await apply('last.yaml', job('six', { team: 'd' }), job('three', { changed: 'yes' }))
  await of(watching, /^NAME .*\nsix /m)
  await of(names, /^(\S+\/three\n){2,}$/)
  for (const each of [watching, names]) each.child.kill('SIGINT')
  await Promise.all([watching.signal, names.signal])
})

test('a job that is named twice is deleted once', async () => {
  expect(await trainyard('delete', 'five', 'genericjob/five')).toMatchObject({
    code: 0,
    stdout: 'five deleted (logs)\n',
  })
})

test('delete -l deletes those with these labels', async () => {
  expect(await trainyard('delete', '-l', 'team in (a, b)')).toMatchObject({
    code: 0,
    stdout: 'one deleted (logs)\ntwo deleted (logs)\n',
  })
  expect(namesOf((await trainyard('get', '-o', 'name')).stdout)).toEqual(['six', 'three'])
})

test('events of all namespaces, and their names', async () => {
  const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }
  await apply('team.yaml', team, job('far', {}, 'team'))
  await trainyard('wait', '-n', 'team', 'far', '--for=Paused')
  const events = await trainyard('events', '-A')
  expect(events.stdout).toMatch(/^NAMESPACE +AGE +TYPE .*\n/)
  expect(events.stdout).toMatch(/^default +\d+s +Normal +Created +six +A GenericJob has been created: six$/m)
  expect(events.stdout).toMatch(/^team +\d+s +Normal +Created +far +A GenericJob has been created: far$/m)
  // Its creation is read off the job; an event of it is written only after the status that it tells of.
  const names = async (): Promise<string> => (await trainyard('events', 'far', '-A', '-o', 'name')).stdout
  await expect.poll(names, { timeout: 60_000 }).toMatch(/^(event\/far\.\w+\n)+$/)
  expect(JSON.parse((await trainyard('events', 'far', '-A', '-o', 'json')).stdout).events[0]).toMatchObject({
    namespace: 'team',
    object: 'job',
    reason: 'Created',
  })
})

test('delete --all, in this namespace or in all', async () => {
  const here = await trainyard('delete', '--all')
  expect(here).toMatchObject({ code: 0, stdout: 'six deleted (logs)\nthree deleted (logs)\n' })
  expect(await trainyard('delete', '--all')).toMatchObject({ code: 0, stderr: 'no jobs in namespace default\n' })
  expect(await trainyard('delete', '--all', '-A')).toMatchObject({ code: 0, stdout: 'team/far deleted (logs)\n' })
})

test.each([
  [['delete'], 'delete needs the names of jobs, -f FILE, -l LABELS or --all'],
  [['delete', 'one', '--all'], 'delete takes names, -f, -l or --all, only one of them'],
  [['delete', '-l', ''], 'delete -l needs labels; all jobs are meant by --all'],
  [['delete', '-A', 'one'], 'delete -A goes with --all; it deletes all jobs of all namespaces'],
])('%j is not clear enough', async (args, words) => {
  const ran = await trainyard(...args)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toMatch(`trainyard: ${words}\n`)
})

test('delete -f deletes all that the manifests name, the namespace last', async () => {
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'group' } }
  const group = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'group' } }
  const file = await apply('group.yaml', group, settings, job('seven', {}, 'group'))
  expect(await trainyard('delete', '-f', file)).toMatchObject({
    code: 0,
    stdout: 'seven deleted (logs)\nconfigmap/settings deleted\nnamespace/group deleted\n',
    stderr: '',
  })
})

test('what a manifest names and nobody has is told, and the rest is deleted', async () => {
  const own = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own' } }
  await apply('own.yaml', own)
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ ...job('gone'), spec: {} }, own] })
  expect(await trainyardWithInput(join(folder, 'home'))(text, 'delete', '-f', '-')).toMatchObject({
    code: 1,
    stdout: 'configmap/own deleted\n',
    stderr: 'trainyard: no GenericJob "gone" in namespace default\n',
  })
  const unreadable = await trainyardWithInput(join(folder, 'home'))('a: [', 'delete', '-f', '-')
  expect(unreadable).toMatchObject({ code: 1, stdout: '' })
  expect(unreadable.stderr).toMatch(/^stdin:1:\d+: error: /)
})

test('how long a replica trained is known although its pod, with another container still at work, is gone', async () => {
  const container = (name: string, seconds: string) => ({ name, image: 'none', command: ['sleep', seconds] })
  const spec = { terminationGracePeriodSeconds: 1, containers: [container('c', '1'), container('side', '100')] }
  const { spec: paused, ...rest } = job('accompanied') as { spec: object }
  await apply('accompanied.yaml', {
    ...rest,
    spec: { ...paused, runMode: {}, replicaSpecs: [{ type: 'w', template: { spec } }] },
  })
  expect((await trainyard('wait', 'accompanied')).code).toBe(0)
  const ran = () => trainyard('describe', 'accompanied', '-o', 'json')
  await vi.waitFor(
    async () => {
      const { replicas } = JSON.parse((await ran()).stdout)
      expect((await trainyard('get', 'accompanied', '-o', 'wide')).stdout).toMatch(/ -\n$/)
      expect(replicas[0].attempts[0].ranSeconds).toBeGreaterThanOrEqual(1)
      expect(replicas[0].attempts[0].ranSeconds).toBeLessThan(10)
    },
    { timeout: 30_000, interval: 200 },
  )
})
