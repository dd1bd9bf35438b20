// `trainyard run` with a real home and real processes.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Bench } from './run-cli.ts'

const bench = new Bench()
afterAll(() => bench.close())

/** Times are the machine's, and whether it is slow enough to say what it waits for, or too quick to be seen running. */
function steady(text: string): string {
  const timeless = text.replace(/\d+:\d\d /g, 'M:SS ').replace(/\d+\.\d s/g, 'N s')
  return timeless.replace(/^trainyard: (starting the home .*|M:SS \S+ Running: .*)\n/gm, '')
}

test('a manifest with mistakes creates nothing, and no home', async () => {
  const file = bench.file(
    'wrong.yaml',
    'apiVersion: batch.tensorstack.dev/v1beta1\nkind: GenericJob\nmetadata: {name: w}\nspec: {}\n',
  )
  const { code, stdout, stderr } = await bench.run('run', '-f', file)
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^wrong\.yaml:\d+:\d+: error: spec/)
  expect(existsSync(bench.env.TRAINYARD_HOME)).toBe(false)
})

test('a job runs to its end, its lines on one stream and ours on the other', async () => {
  const companion = `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: words}\ndata: {greeting: hello}\n`
  const file = bench.job('greet', 'echo one; echo two >&2', companion)
  const { code, stdout, stderr } = await bench.run('run', '-f', file)
  expect(steady(stderr)).toBe(`trainyard: home ready in N s (~/home)
trainyard: M:SS greet created: GenericJob, 1 worker
trainyard: M:SS greet Succeeded: the success rule {"worker":["0"]} holds.
`)
  expect(stdout).toBe('worker-0 | one\nworker-0 | two\n')
  expect(code).toBe(0)
})

test('a finished job is not run again, unless it is replaced or renamed', async () => {
  const again = await bench.run('run', '-f', 'greet.yaml')
  expect(again.code).toBe(1)
  expect(again.stdout).toBe('')
  expect(again.stderr).toMatch(/^trainyard: job greet exists and has Succeeded .*; a finished job never runs again\.\n/)
  expect(again.stderr).toContain('  run it anew        trainyard run -f greet.yaml --replace\n')
  expect(again.stderr).toContain('  under a new name   trainyard run -f greet.yaml --name greet-2\n')
  expect((await bench.run('run', '-f', 'greet.yaml', '--replace')).stdout).toBe('worker-0 | one\nworker-0 | two\n')
  const renamed = await bench.run('run', '-f', 'greet.yaml', '--name', 'greet-2', '--rm')
  expect(renamed.stdout).toBe('worker-0 | one\nworker-0 | two\n')
  expect((await bench.run('get', 'greet-2')).code).toBe(1)
})

test('a failed job names the replica, its exit and its last lines', async () => {
  const file = bench.job('fail', 'echo loading; echo "no such data" >&2; exit 3')
  const { code, stdout, stderr } = await bench.run('run', '-f', file)
  expect(code).toBe(1)
  expect(stdout).toBe('worker-0 | loading\nworker-0 | no such data\n')
  expect(steady(stderr)).toContain(`trainyard: M:SS worker-0 failed: exit 3
trainyard: M:SS fail Failed: the failure rule {"worker":["0"]} holds. First to fail: worker-0, exit 3.
  worker-0's last lines:
    loading
    no such data
`)
  expect(stderr).toMatch(/ {2}look inside {2}trainyard debug fail worker-0\n {2}all logs {5}trainyard logs fail\n$/)
})

test('what a failed init container wrote is not called nothing', async () => {
  const file = bench.job('prepare', 'echo trains')
  const init = 'initContainers: [{name: fetch, image: i, command: [sh, -c, "echo no network >&2; exit 4"]}]'
  bench.file(file, readFileSync(join(bench.dir, file), 'utf8').replace('containers:', `${init}, containers:`))
  const { stderr } = await bench.run('run', '-f', file)
  expect(stderr).toContain('worker-0 failed: exit 4: container fetch failed first\n')
  expect(stderr).not.toContain('wrote nothing')
  const advice = /its words {4}trainyard (logs prepare .*)/.exec(stderr)![1]!
  expect((await bench.run(...advice.split(' '))).stdout).toBe('worker-0 | no network\n')
})

test('an environment that is active here but not in the home is told of', async () => {
  const manifest = bench.job('env', 'echo $VIRTUAL_ENV')
  const other = new Bench()
  try {
    for (const each of [bench, other]) each.env.VIRTUAL_ENV = join(each.dir, 'venv')
    const words = 'trainyard: ~/venv is active here, but not in the home: jobs do not find what is installed in it\n'
    const here = await bench.run('run', '-f', manifest)
    expect([here.stdout, here.stderr.includes(words)]).toEqual(['worker-0 | \n', true])
    for (const flags of [[], ['--replace']]) {
      const there = await other.run('run', '-f', other.job('env', 'echo $VIRTUAL_ENV'), ...flags)
      expect(there.stdout).toBe(`worker-0 | ${other.dir}/venv\n`)
      expect(there.stderr).not.toContain('is active here')
    }
  } finally {
    delete bench.env.VIRTUAL_ENV
    await other.close()
  }
})

test('a program that is not there is found in the manifest', async () => {
  const file = bench.job('typo', 'x')
  bench.file(file, readFileSync(join(bench.dir, file), 'utf8').replace('[sh, -c, "x"]', '[nosuchprogram]'))
  const { code, stderr } = await bench.run('run', '-f', file)
  expect(code).toBe(1)
  expect(stderr).toContain('worker-0 cannot start: no program "nosuchprogram" on its PATH (')
  expect(stderr).toContain('\n  said in spec.replicaSpecs[0].template.spec.containers[0].command[0]')
})

test('every attempt is told and read, however short it was', async () => {
  const file = bench.job('again', 'test -e seen || { echo first; exit 7; }; echo second')
  const text = readFileSync(join(bench.dir, file), 'utf8')
  const script = `test -e ${bench.dir}/seen || { touch ${bench.dir}/seen; echo first; exit 7; }; echo second`
  bench.file(
    file,
    text
      .replace(/"test -e .*?"(?=\])/, JSON.stringify(script))
      .replace('replicas: 1', 'replicas: 1\n      restartPolicy: {policy: OnFailure, limit: 2}'),
  )
  const { code, stdout, stderr } = await bench.run('run', '-f', file)
  expect(stdout).toBe('worker-0 | first\nworker-0 | second\n')
  expect(stderr).toMatch(
    /worker-0 failed: exit 7, nothing on stderr\n.*worker-0 is started again \(restartPolicy OnFailure, restart 1 of 2\)\n/,
  )
  expect(stderr).toMatch(/again Succeeded: .*\. 1 restart\.\n$/)
  expect(code).toBe(0)
})

test('a finished job is read to its last line, however much it wrote', async () => {
  const file = bench.job('much', 'head -c 20000000 /dev/zero | tr "\\0" x; echo; seq 1 100000')
  const { code, stdout } = await bench.run('run', '-f', file)
  expect(stdout.match(/x/g)).toHaveLength(20_000_000)
  expect(stdout.endsWith('\nworker-0 | 99999\nworker-0 | 100000\n')).toBe(true)
  expect(code).toBe(0)
})

test('Ctrl-C leaves the job alone; another run attaches to it; twice stops it', async () => {
  const file = bench.job('long', 'echo here; sleep 1000')
  const first = bench.start('run', '-f', file)
  await first.sees('worker-0 | here')
  first.child.kill('SIGINT')
  const left = await first.ran
  expect(left.code).toBe(130)
  expect(left.stderr).toContain(`long goes on without this terminal.
  watch again  trainyard logs -f long
  stop it      trainyard delete long            (Ctrl-C again within 2 s does this too)
`)
  const second = bench.start('run', '-f', file)
  await second.sees('worker-0 | here')
  second.child.kill('SIGINT')
  await second.sees('goes on without')
  second.child.kill('SIGINT')
  const stopped = await second.ran
  expect(stopped.code).toBe(130)
  expect(stopped.stderr).toMatch(/long is there already; going on with it: GenericJob, 1 worker\n/)
  expect(stopped.stderr).toMatch(/long deleted\n$/)
})

test('--timeout and --detach leave a job that goes on; a changed manifest is not mixed up with it', async () => {
  const file = bench.job('slow', 'echo here; sleep 1000')
  const late = await bench.run('run', '-f', file, '--timeout', '1s')
  expect(late.code).toBe(124)
  expect(late.stderr).toMatch(/--timeout 1s has passed; slow goes on\n {2}watch again {2}trainyard logs -f slow\n/)
  bench.job('slow', 'echo other; sleep 1000')
  const other = await bench.run('run', '-f', file)
  expect(other.code).toBe(1)
  expect(other.stderr).toContain(
    'job slow exists, is Running, and differs from the manifest in spec.replicaSpecs[0].template.spec.containers[0].command[2].\n',
  )
  const detached = await bench.run('run', '-f', file, '--replace', '--detach')
  expect(detached.code).toBe(0)
  expect(detached.stderr).toMatch(
    /slow created: GenericJob, 1 worker\n {2}watch again {2}trainyard logs -f slow\n {2}stop it {6}trainyard delete slow\n$/,
  )
})

test.each([
  ['while the shell is open', 'sleep 1000', 'shell    worker-0'],
  ['while its replica waits', 'sleep 1000', 'debug    peek-2-debug created'],
])('whoever leaves debug with Ctrl-C %s leaves no copy behind', async (_, script, moment) => {
  const name = moment.startsWith('shell') ? 'peek' : 'peek-2'
  const file = bench.job(name, script)
  if (name === 'peek-2')
    bench.file(file, bench.read(file).replace('image: i,', 'image: i, resources: {requests: {cpu: 999}},'))
  expect((await bench.run('run', '-f', file, '--detach')).code).toBe(0)
  const debug = bench.start('debug', name, 'worker-0')
  await debug.sees(moment)
  debug.child.kill('SIGINT')
  const { code, stderr } = await debug.ran
  expect(stderr).toMatch(new RegExp(`debug    ${name}-debug deleted \\(keep it with --keep\\)\\n$`))
  expect(code).toBe(130)
  expect((await bench.run('get', `${name}-debug`)).code).toBe(1)
  expect((await bench.run('delete', name)).code).toBe(0)
})

test('a job that somebody else deletes', async () => {
  const run = bench.start('run', '-f', bench.job('doomed', 'echo here; sleep 1000'))
  await run.sees('worker-0 | here')
  expect((await bench.run('delete', 'doomed')).code).toBe(0)
  const { code, stderr } = await run.ran
  expect(code).toBe(1)
  expect(stderr).toMatch(/doomed was deleted\n$/)
})

test('a home that is killed and started again is found again, and no line is lost or told twice', async () => {
  const go = join(bench.dir, 'go')
  const file = bench.job('steady', `echo one; while ! test -e ${go}; do sleep 0.1; done; echo two`)
  const run = bench.start('run', '-f', file)
  await run.sees('worker-0 | one')
  const { pid } = JSON.parse(readFileSync(join(bench.env.TRAINYARD_HOME, 'home.json'), 'utf8')) as { pid: number }
  process.kill(pid, 'SIGKILL')
  await run.sees('the home does not answer; trying again')
  expect((await bench.run('up')).code).toBe(0)
  await run.sees('the home answers again')
  bench.file('go', '')
  const { code, stdout } = await run.ran
  expect(stdout).toBe('worker-0 | one\nworker-0 | two\n')
  expect(code).toBe(0)
})

test('a script without a manifest gets one', async () => {
  bench.file('hello.mjs', 'console.log(process.env.RANK, process.env.WORLD_SIZE, process.argv[2], process.cwd())\n')
  const { code, stdout, stderr } = await bench.run('run', '--workers', '2', '--', 'hello.mjs', '--flag')
  expect(stderr).toContain(
    'trainyard: hello.trainyard.yaml written; next time: trainyard run -f hello.trainyard.yaml\n',
  )
  expect(stdout.split('\n').sort()).toEqual([
    '',
    `worker-0 | 0 2 --flag ${bench.dir}`,
    `worker-1 | 1 2 --flag ${bench.dir}`,
  ])
  expect(code).toBe(0)
  const manifest = join(bench.dir, 'hello.trainyard.yaml')
  bench.file('hello.trainyard.yaml', readFileSync(manifest, 'utf8').replace('replicas: 2', 'replicas: 3'))
  const again = await bench.run('run', '--workers', '2', '--', 'hello.mjs')
  expect(again.code).toBe(2)
  expect(readFileSync(manifest, 'utf8')).toContain('replicas: 3')
})

test.each([
  [['run'], /^trainyard: run needs a manifest/],
  [['run', '-f', 'nowhere.yaml'], /^trainyard: there is no file nowhere\.yaml/],
  [['run', '-f', 'greet.yaml', '--timeout', 'soon'], /^trainyard: --timeout soon: a duration such as/],
  [['run', '-f', 'greet.yaml', '--name', 'No'], /^trainyard: --name No: /],
  [['run', '--workers', 'two', '--', 'hello.mjs'], /^trainyard: --workers: a number/],
  [['run', '--workers', '4097', '--', 'hello.mjs'], /^trainyard: --workers: a number from 1 to 4096\n/],
  [['run', '--workers', '2'], /^trainyard: run --workers needs a script/],
  [['run', '--workers', '2', '--', 'nowhere.py'], /^trainyard: there is no file nowhere\.py/],
  [['run', '--torchrun', '-f', 'greet.yaml'], /^trainyard: --torchrun goes with --workers/],
  [['run', '--workers', '2', '-f', 'greet.yaml'], /^trainyard: run takes -f or --workers/],
])('%j is a wrong command line', async (args, words) => {
  const { code, stdout, stderr } = await bench.run(...args)
  expect(stderr).toMatch(words)
  expect(stdout).toBe('')
  expect(code).toBe(2)
})

test('files without a job say what is in them', async () => {
  bench.file('settings.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n')
  expect(await bench.run('run', '-f', 'settings.yaml')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'trainyard: there is no job in settings.yaml, only ConfigMap\n',
  })
})

test('a cluster that does not answer', async () => {
  const config = {
    clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
    contexts: [{ name: 'lab', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: {} }],
  }
  bench.file('kubeconfig', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }))
  const { code, stderr } = await bench.run('run', '-f', 'greet.yaml', '--kubeconfig', 'kubeconfig', '--context', 'lab')
  expect(stderr).toMatch(/^trainyard: /)
  expect(code).toBe(3)
})
