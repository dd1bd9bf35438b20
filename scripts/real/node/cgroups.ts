// A branch of the control groups for each node: kubelet wants one of its own in every hierarchy.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const ROOT = '/sys/fs/cgroup'

/** One hierarchy (v2) or one for each controller (v1, hybrid). */
function hierarchies(): string[] {
  if (existsSync(join(ROOT, 'cgroup.procs'))) return [ROOT]
  return readdirSync(ROOT)
    .map((name) => join(ROOT, name))
    .filter((path) => existsSync(join(path, 'cgroup.procs')))
}

export function createCgroups(name: string): void {
  for (const hierarchy of hierarchies()) {
    const own = join(hierarchy, name)
    mkdirSync(own, { recursive: true })
    // In v1 nothing may run in a group whose sets are empty, and new groups' are.
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      if (hierarchy.endsWith('/cpuset')) writeFileSync(join(own, file), readFileSync(join(hierarchy, file)))
    }
  }
}

export async function removeCgroups(name: string): Promise<void> {
  for (const hierarchy of hierarchies()) {
    // Processes that were just killed leave their groups a moment later.
    for (let tries = 0; tries < 50 && !removeTree(join(hierarchy, name)); tries++) await delay(100)
  }
}

function removeTree(path: string): boolean {
  if (!existsSync(path)) return true
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(path, entry.name))
  }
  try {
    rmdirSync(path)
    return true
  } catch {
    return false
  }
}
