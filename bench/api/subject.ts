// The two servers that are compared, each as processes of their own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { Agent } from 'undici'
import { startControlPlane } from '../../scripts/real/control-plane.ts'
import type { ProcessRecord } from '../../scripts/real/processes.ts'

const root = join(import.meta.dirname, '../..')
const CLOCK_TICKS = 100

export interface Subject {
  name: string
  url: string
  agent: Agent
  headers: Record<string, string>
  /** From the start of its first process until it answered. */
  readyMs: number
  /** CPU of all its processes until then. */
  readyCpuMs: number
  pids: number[]
  stop(): Promise<void>
}

/** Resident memory of all its processes, in MB. */
export function residentMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1000
}

/** Milliseconds since a process began, by the kernel's own count. */
export function ageMs(pid: number): number {
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  return (uptime - Number(statOf(pid)[19]) / CLOCK_TICKS) * 1000
}

/** Milliseconds of CPU that all its processes have used: what others do to the machine does not count. */
export function cpuMs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => Number(statOf(pid)[11]) + Number(statOf(pid)[12]))
  return (ticks.reduce((sum, each) => sum + each, 0) * 1000) / CLOCK_TICKS
}

/** From the state on: the name before it may hold anything. */
function statOf(pid: number): string[] {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (.*)/s)
  return rest.split(' ')
}

/** The embedded server alone, bundled as it is packed: no operator, scheduler or kubelet takes part. */
export async function startEmbedded(): Promise<Subject> {
  // Beside the packages it asks for.
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-bench-api-'))
  const program = mkdtempSync(join(root, 'node_modules', '.trainyard-bench-'))
  await build({
    entryPoints: [join(root, 'test/server/serve.ts')],
    outfile: join(program, 'serve.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    logLevel: 'warning',
  })
  const started = performance.now()
  const child = spawn(process.execPath, [join(program, 'serve.mjs'), dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const endNow = (): void => void child.kill('SIGKILL')
  process.on('exit', endNow)
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const readyMs = performance.now() - started
  const readyCpuMs = cpuMs([child.pid as number])
  const { url, token, ca } = JSON.parse(line) as { url: string; token: string; ca: string }
  return {
    name: 'embedded',
    url,
    agent: new Agent({ connect: { ca }, connections: null, pipelining: 1 }),
    headers: { authorization: `Bearer ${token}` },
    readyMs,
    readyCpuMs,
    pids: [child.pid as number],
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      process.off('exit', endNow)
      for (const each of [dir, program]) rmSync(each, { recursive: true, force: true })
    },
  }
}

/** kube-apiserver and etcd as in production: etcd syncs its log before it answers. */
export async function startReal(say: (line: string) => void): Promise<Subject> {
  let readyMs = Number.NaN
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-bench-real-'))
  const readRecords = (): ProcessRecord[] =>
    (JSON.parse(readFileSync(join(dir, 'processes.json'), 'utf8')) as { records: ProcessRecord[] }).records
  const plane = await startControlPlane({
    dir,
    durable: true,
    say: (line) => {
      if (line.startsWith('kube-apiserver')) readyMs = ageMs(readRecords()[0]?.pid ?? 0)
      say(line)
    },
  })
  const { url, ca, admin } = plane
  const pids = readRecords().map(({ pid }) => pid)
  const readyCpuMs = cpuMs(pids)
  return {
    name: 'kube-apiserver and etcd',
    url,
    agent: new Agent({ connect: { ca, cert: admin.cert, key: admin.key }, connections: null, pipelining: 1 }),
    headers: {},
    readyMs,
    readyCpuMs,
    pids,
    stop: () => plane.stop(),
  }
}

export interface Sent {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: unknown
}

/** The text of a good answer; anything else ends the benchmark. */
export async function call(subject: Subject, { method, path, body }: Sent): Promise<string> {
  const answer = await subject.agent.request({
    origin: subject.url,
    path,
    method,
    headers: { ...subject.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300)
    throw new Error(`${subject.name}: ${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`)
  return text
}
