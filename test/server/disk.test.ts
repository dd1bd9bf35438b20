import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { type Answer, type Endpoint, send } from '../parity/endpoint.ts'
import { startTestServer } from './client.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const program = join(import.meta.dirname, 'serve.ts')
/** Mounts are seen by the commands run in here alone, and go with the last of them. */
const OWN_MOUNTS = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-disk-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

interface Shell {
  child: ChildProcess
  lines: AsyncIterator<string>
  /** What it has written to its standard error. */
  complaints: () => string
}

/** `$1` is the directory; `serve` becomes the server of `$1/home`. */
function runApart(script: string, dir: string): Shell {
  const serve = `serve() { exec '${process.execPath}' '${program}' "$1/home"; }`
  const child = spawn('unshare', [...OWN_MOUNTS, 'sh', '-c', `${serve}\n${script}`, 'sh', dir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, lines, complaints: () => complaints }
}

async function nextLine({ lines, complaints }: Shell): Promise<string> {
  const { value, done } = await lines.next()
  if (done) throw new Error(`the shell has ended: ${complaints()}`)
  return value
}

const endpointOf = async (shell: Shell): Promise<Endpoint> => JSON.parse(await nextLine(shell)) as Endpoint

const post = (endpoint: Endpoint, name: string, size: number): Promise<Answer> =>
  send(endpoint, {
    method: 'POST',
    path: maps,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { k: 'x'.repeat(size) } },
    headers: { 'content-type': 'application/json' },
  })

const namesIn = async (endpoint: Endpoint): Promise<string[]> => {
  const { body } = await send(endpoint, { method: 'GET', path: maps, headers: {} })
  return (body as { items: Array<{ metadata: { name: string } }> }).items.map((item) => item.metadata.name)
}

test('a full disk: writes are refused, nothing acknowledged is lost, and with room it goes on', {
  timeout: 300_000,
}, async () => {
  const dir = scratch()
  const shell = runApart(
    `mount -t tmpfs -o size=6m none "$1" || exit 9
     for n in 1 2; do head -c 1500000 /dev/zero > "$1/ballast$n" || exit 9; done
     serve "$1" & echo $!; wait $!
     cat /dev/zero >> "$1/ballast2" 2> /dev/null
     (serve "$1"); echo "ended $?"
     while [ -e "$1/ballast2" ]; do sleep 0.1; done
     serve "$1"`,
    dir,
  )
  const makeRoom = (ballast: number): void => rmSync(join(`/proc/${shell.child.pid}/root`, dir, `ballast${ballast}`))
  const first = Number(await nextLine(shell))
  const endpoint = await endpointOf(shell)
  const kept: string[] = []
  const fill = async (): Promise<Answer> => {
    for (let i = 100 + kept.length; ; i++) {
      const answer = await post(endpoint, `m${i}`, 50_000)
      if (answer.code !== 201) return answer
      kept.push(`m${i}`)
    }
  }
  const words = expect.stringContaining('could not be stored; is the disk full?')
  const refusal = { kind: 'Status', code: 500, reason: 'InternalError', message: words }
  expect((await fill()).body).toMatchObject(refusal)
  const early = kept.length
  expect(early).toBeGreaterThan(0)
  expect(await namesIn(endpoint)).toEqual(kept)
  makeRoom(1)
  expect((await fill()).body).toMatchObject(refusal)
  expect(kept.length).toBeGreaterThan(early)
  expect(await namesIn(endpoint)).toEqual(kept)
  // Killed while there is no room, it says why it cannot start again, and with room it has everything.
  process.kill(first, 'SIGKILL')
  expect(await nextLine(shell)).toBe('ended 1')
  expect(shell.complaints()).toContain('it must be writable and have free space')
  makeRoom(2)
  const again = await endpointOf(shell)
  expect(await namesIn(again)).toEqual(kept)
  expect((await post(again, 'more', 50_000)).code).toBe(201)
})

test('a directory that can only be read is refused in words', async () => {
  const dir = scratch()
  const shell = runApart(
    `mount -t tmpfs none "$1" && mkdir "$1/home" && mount -o remount,ro "$1" || exit 9; serve "$1"`,
    dir,
  )
  const [code] = await once(shell.child, 'close')
  expect(code).toBe(1)
  expect(shell.complaints()).toContain(`the data directory ${dir}/home cannot be used`)
  expect(shell.complaints()).toContain('it must be writable and have free space')
})

test('a home that has become read-only is refused in words and keeps what it has', async () => {
  const dir = scratch()
  const shell = runApart(
    `mount -t tmpfs none "$1" || exit 9
     serve "$1" & echo $!; wait $!
     mount -o remount,ro "$1" || exit 9; (serve "$1"); echo "ended $?"
     mount -o remount,rw "$1" || exit 9; serve "$1"`,
    dir,
  )
  const first = Number(await nextLine(shell))
  expect((await post(await endpointOf(shell), 'a', 10)).code).toBe(201)
  process.kill(first, 'SIGKILL')
  expect(await nextLine(shell)).toBe('ended 1')
  expect(shell.complaints()).toContain('it must be writable and have free space')
  expect(await namesIn(await endpointOf(shell))).toEqual(['a'])
})

test('what is stored is for the owner alone, also where the directory is open to all', async () => {
  const dir = scratch()
  chmodSync(dir, 0o755)
  const before = process.umask(0)
  onTestFinished(() => {
    process.umask(before)
  })
  const server = await startTestServer({ dir })
  await server.post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map((file) => file.name)).toEqual(expect.arrayContaining(['trainyard.db', 'kubeconfig']))
  for (const { parentPath, name } of files)
    expect([name, statSync(join(parentPath, name)).mode & 0o077]).toEqual([name, 0])
})
