// A real control plane on loopback: etcd and kube-apiserver, and other parts where asked for.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { awaitHealth } from './await-health.ts'
import { buildPrograms } from './build.ts'
import { Authority, type KeyPair } from './certificates.ts'
import { findFreePorts } from './free-ports.ts'
import { createPlayedNodes } from './kwok.ts'
import { apiserverUrl, type Layout, LOOPBACK, PARTS, type PartName } from './parts.ts'
import { programPath } from './places.ts'
import { isAlive, type ProcessRecord, signal, startProcess, stopProcess } from './processes.ts'

export interface ControlPlaneOptions {
  /** State, certificates and logs; a new temporary directory unless given. */
  dir?: string
  /** Besides etcd and kube-apiserver. */
  parts?: readonly ('kube-controller-manager' | 'kube-scheduler')[]
  /** Where kube-apiserver listens; a free port unless given. */
  port?: number
  /** Where kube-apiserver listens, other than loopback. */
  address?: string
  /** Write down who asked for what, with the pods that were sent. */
  audit?: boolean
  /** Admission plugins beyond the usual ones. */
  admission?: readonly string[]
  /** Nodes that kwok plays. */
  playedNodes?: number
  /** As in production etcd waits for the disk; otherwise it does not, since what it keeps is thrown away. */
  durable?: boolean
  extraApiserverArgs?: readonly string[]
  extraControllerArgs?: readonly string[]
  /** It outlives this process; otherwise it ends with it at the latest. */
  keepRunning?: boolean
  say?: (line: string) => void
}

export interface User extends KeyPair {
  kubeconfig: string
}

export interface ControlPlane {
  dir: string
  url: string
  ca: string
  admin: User
  /** The admin's. */
  kubeconfig: string
  kubectl: string
  /** One JSON object per request, where `audit` was asked for. */
  auditLog: string
  issueUser(name: string, groups?: readonly string[]): Promise<User>
  stop(): Promise<void>
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const recordFile = (dir: string): string => join(dir, 'processes.json')

export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const say = options.say ?? (() => {})
  const { playedNodes = 0 } = options
  const names: PartName[] = [
    'etcd',
    'kube-apiserver',
    ...(options.parts ?? []),
    ...(playedNodes > 0 ? ['kwok' as const] : []),
  ]
  await buildPrograms([...names, 'kubectl'], say)
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'trainyard-real-'))
  const pki = join(dir, 'pki')
  for (const folder of ['pki', 'logs', 'kubeconfigs']) mkdirSync(join(dir, folder), { recursive: true, mode: 0o700 })

  const layout = await layOut(dir, pki, options)
  const url = apiserverUrl(layout)
  const authority = new Authority(pki)
  await authority.create()
  await authority.issue('apiserver', {
    name: 'kube-apiserver',
    servesAs: ['DNS:localhost', 'DNS:kubernetes.default.svc', 'IP:10.96.0.1', `IP:${layout.address}`],
  })
  const issueUser = async (name: string, groups: readonly string[] = []): Promise<User> => {
    const file = name.replaceAll(/[^a-z0-9.-]/gi, '-')
    const pair = await authority.issue(`user-${file}`, { name, groups })
    const kubeconfig = join(dir, 'kubeconfigs', file)
    writeFileSync(kubeconfig, JSON.stringify(buildKubeconfig(url, authority.cert, name, pair), null, 2), {
      mode: 0o600,
    })
    return { ...pair, kubeconfig }
  }
  const admin = await issueUser('admin', ['system:masters'])

  const records: ProcessRecord[] = []
  const endNow = (): void => {
    for (const record of records) signal(record, 'SIGKILL')
  }
  // A signal alone would end this process without its last words.
  const lastWords = (): never => process.exit(1)
  if (!options.keepRunning) {
    process.on('exit', endNow)
    for (const name of SIGNALS) process.once(name, lastWords)
  }
  const stop = async (): Promise<void> => {
    await stopRecorded(records)
    process.off('exit', endNow)
    for (const name of SIGNALS) process.off(name, lastWords)
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    for (const name of names) {
      const part = PARTS[name]
      if (part.user) layout.kubeconfigs[name] = (await issueUser(part.user, part.groups)).kubeconfig
      for (const [file, text] of Object.entries(part.files?.() ?? {})) writeFileSync(join(dir, file), text)
      const record = startProcess(name, programPath(name), part.args(layout), join(dir, 'logs', `${name}.log`))
      records.push(record)
      writeFileSync(recordFile(dir), JSON.stringify({ url, records }, null, 2))
      await awaitHealth(record, part.health(layout), admin)
      say(`${name} is ready`)
    }
    if (playedNodes > 0) {
      await createPlayedNodes(programPath('kubectl'), admin.kubeconfig, playedNodes)
      say(`${playedNodes} played nodes are ready`)
    }
  } catch (error) {
    await stop()
    throw error
  }
  const auditLog = layout.auditLog
  return {
    dir,
    url,
    ca: authority.cert,
    admin,
    kubeconfig: admin.kubeconfig,
    kubectl: programPath('kubectl'),
    auditLog,
    issueUser,
    stop,
  }
}

async function layOut(dir: string, pki: string, options: ControlPlaneOptions): Promise<Layout> {
  const names = ['etcd', 'etcd-peer', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok'] as const
  const free = await findFreePorts(names.length)
  const ports = Object.fromEntries(names.map((name, index) => [name, free[index]])) as Layout['ports']
  if (options.port) ports['kube-apiserver'] = options.port
  const layout: Layout = {
    dir,
    pki,
    ports,
    kubeconfigs: {},
    auditLog: join(dir, 'logs', 'audit.jsonl'),
    address: options.address ?? LOOPBACK,
    admission: options.admission ?? [],
    durable: options.durable ?? false,
    extraApiserverArgs: options.extraApiserverArgs ?? [],
    extraControllerArgs: options.extraControllerArgs ?? [],
  }
  if (options.audit) {
    layout.auditPolicy = join(dir, 'audit-policy.json')
    const policy = {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [
        { level: 'Request', verbs: ['create'], resources: [{ group: '', resources: ['pods'] }] },
        { level: 'Metadata' },
      ],
    }
    writeFileSync(layout.auditPolicy, JSON.stringify(policy))
  }
  return layout
}

function buildKubeconfig(server: string, ca: string, user: string, pair: KeyPair): object {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const credentials = { 'client-certificate-data': base64(pair.cert), 'client-key-data': base64(pair.key) }
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'real', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: user, user: credentials }],
    contexts: [{ name: 'real', context: { cluster: 'real', user } }],
    'current-context': 'real',
  }
}

/** What an earlier command started and left running in `dir`. */
export function readRunning(dir: string): { url: string; records: ProcessRecord[] } | undefined {
  if (!existsSync(recordFile(dir))) return undefined
  const { url, records } = JSON.parse(readFileSync(recordFile(dir), 'utf8')) as {
    url: string
    records: ProcessRecord[]
  }
  const alive = records.filter(isAlive)
  return alive.length > 0 ? { url, records: alive } : undefined
}

/** One more that ends with the control plane in `dir`. */
export function recordProcess(dir: string, record: ProcessRecord): void {
  const known = JSON.parse(readFileSync(recordFile(dir), 'utf8')) as { url: string; records: ProcessRecord[] }
  writeFileSync(recordFile(dir), JSON.stringify({ ...known, records: [...known.records, record] }, null, 2))
}

/** In the reverse of the order they were started. What they stored is thrown away, so their grace is short. */
export async function stopRecorded(records: readonly ProcessRecord[]): Promise<void> {
  for (const record of records.toReversed()) await stopProcess(record, 1_000)
}
