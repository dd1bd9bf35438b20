// Control groups, where this user may make them. Those of version 2 kill without a race and limit where the controllers
// are delegated to us; where the controllers are still in hierarchies of version 1, those limit.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ControllerGroups, limitedResources } from './limit-groups.ts'

const retryAfter = 50
const controllerNames = [...limitedResources, 'pids'] as const
type Controller = (typeof controllerNames)[number]

/** The groups of one run of a container. */
export interface RunGroups extends ControllerGroups {
  /** Of version 2: everything in it can be killed at once. */
  unified?: string
  /** Of version 1: counts processes and threads. */
  pids?: string
}

export class Cgroups {
  readonly #bases: RunGroups

  constructor(bases: RunGroups) {
    this.#bases = bases
  }

  /** Groups for one run of a container, under those of its pod and home; of version 1 only for what is limited. Processes always are. */
  make(podUid: string, container: string, run: number, limited: readonly string[]): RunGroups {
    const { unified, ...controllers } = this.#bases
    const make = (base: string): string | undefined => makeGroup(base, podUid, `${container}-${run}`)
    const groups: RunGroups = {}
    if (unified) {
      groups.unified = make(unified)
      for (const parent of [unified, join(unified, podUid)]) delegate(parent)
    }
    for (const resource of controllerNames) {
      const base = controllers[resource]
      if (base && (resource === 'pids' || limited.includes(resource))) groups[resource] = make(base)
    }
    return groups
  }

  /** Removes the groups of a pod. A killed process leaves its group a moment after it is gone, so it is tried again. */
  remove(podUid: string, tries = 20): void {
    const pods = Object.values(this.#bases).map((base: string) => join(base, podUid))
    for (const pod of pods) removeTree(pod)
    if (tries > 0 && pods.some((pod) => existsSync(pod)))
      setTimeout(() => this.remove(podUid, tries - 1), retryAfter).unref()
  }

  /** Leaves no group behind that has nothing in it. */
  close(): void {
    for (const base of Object.values(this.#bases) as string[]) {
      for (const pod of childrenOf(base)) removeTree(pod)
      removeEmpty(base)
    }
  }
}

/** Undefined where there is nothing that is ours to divide. */
export function openCgroups(homeDirectory: string): Cgroups | undefined {
  const name = `trainyard-${createHash('sha256').update(homeDirectory).digest('hex').slice(0, 12)}`
  const unified = usable(name, findHierarchy(), 'cgroup.kill')
  const bases: RunGroups = { ...(unified && { unified }) }
  for (const [resource, file] of Object.entries(firstVersion)) {
    const base = usable(name, findHierarchy(resource), file)
    if (base) bases[resource as Controller] = base
  }
  if (Object.keys(bases).length === 0) return undefined
  const groups = new Cgroups(bases)
  // What a former home left, and the bases themselves where there is nothing.
  groups.close()
  return groups
}

const firstVersion: Record<Controller, string> = {
  memory: 'memory.limit_in_bytes',
  cpu: 'cpu.cfs_quota_us',
  pids: 'pids.max',
}

/** Our own place in the hierarchy of a controller; without one, in that of version 2. */
function findHierarchy(controller?: string): string | undefined {
  try {
    const mounts = readFileSync('/proc/self/mounts', 'latin1').split('\n')
    const mount = mounts
      .map((line) => line.split(' '))
      .find(([, , type, options]) =>
        controller ? type === 'cgroup' && options?.split(',').includes(controller) : type === 'cgroup2',
      )?.[1]
    const lines = readFileSync('/proc/self/cgroup', 'latin1').split('\n')
    const own = lines
      .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
      .find((match) => (controller ? match?.[1]?.split(',').includes(controller) : match?.[1] === ''))?.[2]
    return mount === undefined || own === undefined ? undefined : join(mount, own)
  } catch {
    return undefined
  }
}

/** Where our groups go, if groups made there have this file. */
function usable(name: string, hierarchy: string | undefined, file: string): string | undefined {
  if (hierarchy === undefined) return undefined
  const base = join(hierarchy, name)
  const probe = join(base, 'probe')
  try {
    mkdirSync(probe, { recursive: true })
    return existsSync(join(probe, file)) ? base : undefined
  } catch {
    return undefined
  } finally {
    removeEmpty(probe)
    removeEmpty(base)
  }
}

function makeGroup(base: string, pod: string, run: string): string | undefined {
  const directory = join(base, pod, run)
  try {
    mkdirSync(directory, { recursive: true })
    return directory
  } catch {
    return undefined
  }
}

function delegate(directory: string): void {
  try {
    const available = readFileSync(join(directory, 'cgroup.controllers'), 'latin1').split(/\s+/)
    const wanted = controllerNames.filter((controller) => available.includes(controller))
    if (wanted.length > 0)
      writeFileSync(join(directory, 'cgroup.subtree_control'), wanted.map((each) => `+${each}`).join(' '))
  } catch {
    // Then limits cannot be set, and the pod's owner is told.
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
