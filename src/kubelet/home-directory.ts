// Where things lie on disk. Every file is found again by a home that knows nothing but the directory.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnerReference, Pod } from '../../gen/kubernetes-types.ts'
import type { Instant } from '../lib/time.ts'
import { writeAtomically } from './write-atomically.ts'

/** What is remembered of a pod from the moment it is taken on. */
export interface PodRecord {
  pod: Pod
  acceptedAt: Instant
  /** Which life of the machine it was started in; absent where the system does not tell. */
  boot?: string
}

export interface LogRecord {
  namespace: string
  pod: string
  uid: string
  owner?: OwnerReference
  attempt: number
  createdAt: Instant
}

const nameLimit = 200

export class HomeDirectory {
  readonly root: string
  readonly pods: string
  readonly logs: string
  readonly ports: string
  readonly claims: string
  /** Root directories for programs with volumes, made once and given out again. */
  readonly roots: string

  constructor(root: string) {
    this.root = root
    this.pods = join(root, 'pods')
    this.logs = join(root, 'logs')
    this.ports = join(root, 'ports')
    this.claims = join(root, 'volumes')
    this.roots = join(root, 'roots')
    for (const directory of [this.pods, this.logs, this.ports, this.claims])
      mkdirSync(directory, { recursive: true, mode: 0o700 })
  }

  /** The pods that were taken on, with their directories. What has no record yet was never started. */
  readPods(): Array<{ directory: string; record: PodRecord }> {
    const found = []
    for (const name of readdirSync(this.pods)) {
      const directory = join(this.pods, name)
      const record = readJson<PodRecord>(join(directory, 'pod.json'))
      if (record?.pod?.metadata?.uid) found.push({ directory, record })
      else rmSync(directory, { recursive: true, force: true })
    }
    return found
  }

  /** A directory of its own for a pod, called after it; a successor of the same name that comes too early gets another. */
  takeOn(record: PodRecord): string {
    const { name = '', namespace = 'default', uid = '' } = record.pod.metadata ?? {}
    const wished = (namespace === 'default' ? name : `${namespace}_${name}`).slice(0, nameLimit)
    const directory = [wished, `${wished}_${uid.slice(0, 8)}`, uid]
      .map((each) => join(this.pods, each))
      .find(makeDirectory)!
    for (const part of ['containers', 'volumes', 'work']) mkdirSync(join(directory, part), { mode: 0o700 })
    writeAtomically(join(directory, 'pod.json'), JSON.stringify(record))
    return directory
  }

  /** Where a pod's logs are written: attempts of the same replica beside each other, under their job. */
  logDirectory(pod: Pod, now: Instant): string {
    const { name = '', namespace = 'default', uid = '' } = pod.metadata ?? {}
    const replica = join(this.logs, jobOf(pod), name)
    const attempts = existsSync(replica) ? readdirSync(replica) : []
    const known = attempts.find((attempt) => attempt.endsWith(`-${uid}`))
    if (known) return join(replica, known)
    const attempt = Math.max(0, ...attempts.map((each) => Number.parseInt(each, 10) || 0)) + 1
    const directory = join(replica, `${String(attempt).padStart(4, '0')}-${uid}`)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const owner = controllerOf(pod)
    const log: LogRecord = { namespace, pod: name, uid, ...(owner && { owner }), attempt, createdAt: now }
    writeAtomically(join(directory, 'pod.json'), JSON.stringify(log))
    return directory
  }
}

export function controllerOf(pod: Pod): OwnerReference | undefined {
  return pod.metadata?.ownerReferences?.find(({ controller }) => controller)
}

/** Whose ports and logs a pod shares: its controller's, or nobody's. */
export function jobOf(pod: Pod): string {
  return controllerOf(pod)?.uid ?? pod.metadata?.uid ?? ''
}

export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

export function bootOf(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return undefined
  }
}

function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
