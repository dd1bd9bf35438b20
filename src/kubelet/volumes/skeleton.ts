// The root directory a program sees when volumes are mounted: the machine's own, with the volumes put in.
// Mount points that the machine does not have are never made on it: where one is missing, the directory is rebuilt as a
// skeleton of our own into which everything the machine has there is bound.
import { lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Mount } from './mounts.ts'

export interface Bind {
  source: string
  /** Within the new root. */
  target: string
  readOnly: boolean
  /** With what is mounted below it. */
  deep: boolean
}

/** An entry of the skeleton itself, by its path within it. */
export interface Point {
  path: string
  kind: 'directory' | 'file' | 'link'
  /** Where a link leads. */
  to?: string
}

export interface Skeleton {
  /** Each after the directory it lies in. */
  points: Point[]
  /** What is to be bound into it, in order, by paths within it. */
  binds: Bind[]
}

interface Node {
  mount?: Mount
  children: Map<string, Node>
}

/** More entries than this are not worth a bind each. */
const mostBinds = 1000

export class NoSkeleton extends Error {}

export function planSkeleton(mounts: Mount[]): Skeleton {
  const tree: Node = { children: new Map() }
  for (const mount of mounts) insert(tree, resolveExisting(mount.mountPath), mount)
  const skeleton: Skeleton = { points: [], binds: [] }
  rebuild('/', '/', tree, skeleton)
  if (skeleton.binds.length > mostBinds) throw new NoSkeleton('too many entries to bind')
  return skeleton
}

function insert(tree: Node, path: string, mount: Mount): void {
  let node = tree
  for (const part of path.split('/').filter(Boolean)) {
    if (!node.children.has(part)) node.children.set(part, { children: new Map() })
    node = node.children.get(part)!
  }
  node.mount = mount
}

/** A skeleton directory in place of `real`: its entries bound, except where something is put in. */
function rebuild(real: string, at: string, node: Node, skeleton: Skeleton): void {
  const entries = kindOf(real) === 'directory' ? readdirSync(real) : []
  if (entries.length > mostBinds) throw new NoSkeleton('too many entries to bind')
  for (const entry of entries) {
    if (node.children.has(entry)) continue
    const source = join(real, entry)
    const path = join(at, entry)
    const found = lstatSync(source, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) skeleton.points.push({ path, kind: 'link', to: readlinkSync(source) })
    else if (found) {
      skeleton.points.push({ path, kind: found.isDirectory() ? 'directory' : 'file' })
      skeleton.binds.push({ source, target: path, readOnly: false, deep: true })
    }
  }
  for (const [name, child] of node.children) place(join(real, name), join(at, name), child, skeleton, true)
}

/** One entry that is a mount or leads to one; `ours` says whether its parent is skeleton, where we may make things. */
function place(real: string, at: string, node: Node, skeleton: Skeleton, ours: boolean): void {
  const { mount } = node
  const source = mount?.source ?? real
  if (mount?.growable) makePoints(source, node)
  const missing = [...node.children].some(([name, child]) => !hasPoint(join(source, name), child))
  if (node.children.size > 0 && missing) {
    if (!ours) throw new NoSkeleton('a mount point would have to be made on the machine')
    skeleton.points.push({ path: at, kind: 'directory' })
    rebuild(source, at, node, skeleton)
    return
  }
  if (ours) skeleton.points.push({ path: at, kind: kindOf(source) === 'directory' ? 'directory' : 'file' })
  // Below a directory that is bound whole there is only what it has itself.
  if (mount || ours) skeleton.binds.push({ source, target: at, readOnly: mount?.readOnly ?? false, deep: !mount })
  for (const [name, child] of node.children) place(join(source, name), join(at, name), child, skeleton, false)
}

/** In a volume of ours the points of mounts within it are made, as everywhere. */
function makePoints(directory: string, node: Node): void {
  for (const [name, child] of node.children) {
    const path = join(directory, name)
    if (kindOf(path) === undefined) makePoint(path, !child.mount || kindOf(child.mount.source) === 'directory')
    if (!child.mount) makePoints(path, child)
  }
}

function hasPoint(path: string, node: Node): boolean {
  const kind = kindOf(path)
  if (kind === undefined) return false
  if (node.mount) return kind === kindOf(node.mount.source)
  return kind === 'directory' && [...node.children].every(([name, child]) => hasPoint(join(path, name), child))
}

function makePoint(path: string, directory: boolean): void {
  if (directory) mkdirSync(path)
  else writeFileSync(path, '')
}

function kindOf(path: string): 'directory' | 'file' | undefined {
  try {
    return statSync(path).isDirectory() ? 'directory' : 'file'
  } catch {
    return undefined
  }
}

/** The path with the symbolic links of its existing part followed: mounts go where the links lead. */
function resolveExisting(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(resolveExisting(parent), basename(path))
  }
}
