// Which processes belong to a container, and how all of them are ended.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProcessRow, readProcesses, readProcessesSoon } from './process-table.ts'

export interface Tree {
  podUid: string
  /** One container of the pod; absent: all of them. */
  container?: string
  /** The supervisors, which must live on to record the end. */
  supervisors: number[]
  /** The container's own cgroup (v2), if it has one. */
  cgroup?: string
}

/** Marked processes, their descendants, and what shares a session or group with one of them: programs that rewrite
 * their title overwrite the mark, and those that forget their environment keep their parent. */
export function treeOf(rows: ProcessRow[], tree: Tree): ProcessRow[] {
  const spared = new Set([...tree.supervisors, process.pid])
  const isMarked = (row: ProcessRow) =>
    row.podUid === tree.podUid && (tree.container === undefined || row.container === tree.container)
  const members = new Set<number>()
  for (const row of rows) if (isMarked(row) || tree.supervisors.includes(row.pid)) members.add(row.pid)
  let size = -1
  while (size !== members.size) {
    size = members.size
    for (const row of rows) {
      if (members.has(row.ppid) || members.has(row.sid) || members.has(row.pgid)) members.add(row.pid)
    }
  }
  return rows.filter((row) => members.has(row.pid) && !spared.has(row.pid))
}

/** Sends a signal to every process of the tree once; returns how many there were. */
export function signalTree(tree: Tree, signal: NodeJS.Signals | number): number {
  const rows = treeOf(readProcesses(), tree)
  for (const row of rows) sendSignal(row.pid, signal)
  return rows.length
}

/** SIGKILL until nothing of the tree is left, however it forks; returns the pids that would not die in time. */
export async function killTree(tree: Tree, patienceMs = 10_000): Promise<number[]> {
  const deadline = Date.now() + patienceMs
  let pause = 5
  for (;;) {
    if (tree.cgroup) killCgroup(tree.cgroup)
    const rows = treeOf(await readProcessesSoon(), tree)
    if (rows.length === 0) return []
    for (const row of rows) sendSignal(row.pid, 'SIGKILL')
    if (Date.now() > deadline) return rows.map((row) => row.pid)
    await new Promise((resolve) => setTimeout(resolve, pause))
    pause = Math.min(pause * 2, 200)
  }
}

function killCgroup(directory: string): void {
  try {
    writeFileSync(join(directory, 'cgroup.kill'), '1')
  } catch {
    // Kernels before 5.14 have no such file; the walk over the processes does the same.
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals | number): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended meanwhile, or belongs to another user.
  }
}
