// Root directories for programs with volumes. Making one is two dozen directories, which cost the home more than all else
// of a start; so those of pods that are gone are kept for the next ones, as long as they are as they were made.
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Point } from './skeleton.ts'

/** More are not kept: enough for the replicas of a job that is run again and again. */
const MOST_SPARE = 64
const ROOT_MODE = 0o755

/** Puts a root directory with these points at `root`: a spare one, or one made anew. */
export function provideRoot(root: string, points: readonly Point[], spare: string | undefined): void {
  const shape = shapeOf(points)
  for (const name of spare === undefined ? [] : list(spare)) {
    if (!name.startsWith(shape)) continue
    try {
      renameSync(join(spare!, name), root)
      return
    } catch {
      // Somebody else was faster; the next, or a new one.
    }
  }
  mkdirSync(root, { recursive: true, mode: ROOT_MODE })
  for (const { path, kind, to = '' } of points) {
    const at = join(root, path)
    if (kind === 'directory') mkdirSync(at)
    else if (kind === 'file') writeFileSync(at, '')
    else symlinkSync(to, at)
  }
}

/** Keeps the root directory of a program that has ended, unless it has left something there. */
export function spareRoot(root: string, spare: string): void {
  try {
    const points = readPoints(root)
    if (points === undefined) return
    const shape = shapeOf(points)
    if (!makeRoom(spare, shape)) return
    mkdirSync(spare, { recursive: true, mode: 0o700 })
    renameSync(root, join(spare, `${shape}-${process.hrtime.bigint()}`))
  } catch {
    // It cannot be read or moved, and goes with its pod.
  }
}

function makeRoom(spare: string, shape: string): boolean {
  const kept = list(spare)
  if (kept.length < MOST_SPARE) return true
  // The machine has changed since, or another job is run: what was kept for them goes.
  const other = kept.find((name) => !name.startsWith(shape))
  if (other !== undefined) rmSync(join(spare, other), { recursive: true, force: true })
  return other !== undefined
}

/** What a root directory has, undefined if that cannot have come from us alone: then nobody else shall see it. */
function readPoints(root: string, at = '/'): Point[] | undefined {
  const points: Point[] = []
  const own = lstatSync(root, { throwIfNoEntry: false })
  if (own === undefined || (at === '/' && (own.mode & 0o7777) !== ROOT_MODE)) return undefined
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const [real, path] = [join(root, entry.name), join(at, entry.name)]
    if (entry.isSymbolicLink()) points.push({ path, kind: 'link', to: readlinkSync(real) })
    else if (entry.isDirectory()) {
      const inner = readPoints(real, path)
      if (inner === undefined) return undefined
      points.push({ path, kind: 'directory' }, ...inner)
    } else if (entry.isFile() && lstatSync(real).size === 0) points.push({ path, kind: 'file' })
    else return undefined
  }
  return points
}

function shapeOf(points: readonly Point[]): string {
  const lines = points.map(({ path, kind, to = '' }) => JSON.stringify([path, kind, to])).sort()
  return createHash('sha256').update(lines.join()).digest('hex').slice(0, 32)
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
