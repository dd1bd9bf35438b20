// Version 2 control groups, where this user may make them: they kill without a race, and limit where the controllers
// are delegated to us.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResourceRequirements } from '../../../gen/kubernetes-types.ts'
import { parseQuantity } from '../../api/quantity.ts'

const cpuPeriod = 100_000
const retryAfter = 50
const nano = 1_000_000_000n

export class Cgroups {
  readonly #base: string

  constructor(base: string) {
    this.#base = base
  }

  /** A group for one run of a container, under those of its pod and home. */
  make(podUid: string, container: string, run: number): string | undefined {
    const directory = join(this.#base, podUid, `${container}-${run}`)
    try {
      mkdirSync(directory, { recursive: true })
      for (const parent of [this.#base, join(this.#base, podUid)]) delegate(parent)
      return directory
    } catch {
      return undefined
    }
  }

  /** Removes the groups of a pod. A killed process leaves its group a moment after it is gone, so it is tried again. */
  remove(podUid: string, tries = 20): void {
    const pod = join(this.#base, podUid)
    removeTree(pod)
    if (tries > 0 && existsSync(pod)) setTimeout(() => this.remove(podUid, tries - 1), retryAfter).unref()
  }

  /** Leaves no group behind that has nothing in it. */
  close(): void {
    for (const pod of childrenOf(this.#base)) removeTree(pod)
    removeEmpty(this.#base)
  }
}

/** Sets what the kernel can enforce here; returns the limits that it cannot. */
export function limitGroup(directory: string | undefined, limits: ResourceRequirements['limits'] = {}): string[] {
  return Object.entries(limits)
    .filter(([resource]) => resource === 'cpu' || resource === 'memory')
    .filter(([resource, quantity]) => !(directory && writeLimit(directory, resource, quantity)))
    .map(([resource, quantity]) => `${resource} ${quantity}`)
}

/** The kernel has killed something in this group for want of memory. */
export function ranOutOfMemory(directory: string): boolean {
  try {
    return /^oom_kill [1-9]/m.test(readFileSync(join(directory, 'memory.events'), 'latin1'))
  } catch {
    return false
  }
}

/** Undefined where there is no version 2 hierarchy, or it is not ours to divide. */
export function openCgroups(homeDirectory: string): Cgroups | undefined {
  try {
    const mount = / (\S+) cgroup2 /.exec(readFileSync('/proc/self/mounts', 'latin1'))?.[1]
    const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'latin1'))?.[1]
    if (mount === undefined || own === undefined) return undefined
    const name = createHash('sha256').update(homeDirectory).digest('hex').slice(0, 12)
    const base = join(mount, own, `trainyard-${name}`)
    const probe = join(base, 'probe')
    mkdirSync(probe, { recursive: true })
    const usable = existsSync(join(probe, 'cgroup.kill'))
    removeEmpty(probe)
    const groups = new Cgroups(base)
    // What a former home left, and the base itself where there is nothing.
    groups.close()
    return usable ? groups : undefined
  } catch {
    return undefined
  }
}

function delegate(directory: string): void {
  try {
    const available = readFileSync(join(directory, 'cgroup.controllers'), 'latin1').split(/\s+/)
    const wanted = ['cpu', 'memory'].filter((controller) => available.includes(controller))
    if (wanted.length > 0)
      writeFileSync(join(directory, 'cgroup.subtree_control'), wanted.map((each) => `+${each}`).join(' '))
  } catch {
    // Then limits cannot be set, and the pod's owner is told.
  }
}

function writeLimit(directory: string, resource: string, quantity: number | string): boolean {
  const amount = parseQuantity(String(quantity))?.nano
  if (amount === undefined || amount <= 0n) return false
  try {
    if (resource === 'memory') {
      writeFileSync(join(directory, 'memory.max'), String(amount / nano), { flag: 'r+' })
      return true
    }
    writeFileSync(join(directory, 'cpu.max'), `${(amount * BigInt(cpuPeriod)) / nano} ${cpuPeriod}`, { flag: 'r+' })
    return true
  } catch {
    return false
  }
}

function childrenOf(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(directory, entry.name))
  } catch {
    return []
  }
}

/** The kernel removes only what is empty. */
function removeTree(directory: string): void {
  for (const each of [...childrenOf(directory), directory]) removeEmpty(each)
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // In use by other pods, or gone.
  }
}
