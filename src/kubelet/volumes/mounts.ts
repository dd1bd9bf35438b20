// Where a container's mounts really are, and how texts that name their mountPath are changed when nothing is mounted.
import { existsSync, mkdirSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { Container } from '../../../gen/kubernetes-types.ts'
import { expand } from '../environment/expand.ts'
import { escapePattern } from '../escape-pattern.ts'
import { CannotStart } from '../process/find-program.ts'
import type { ProvidedVolumes } from './provide.ts'

export interface Mount {
  mountPath: string
  /** The file or directory on this machine. */
  source: string
  readOnly: boolean
  /** Its volume is ours, so that directories may be made in it. */
  growable?: boolean
}

const cannotMount = 128

export function planMounts(
  container: Container,
  { directories, keyed, hosted, readOnly: readOnlyVolumes }: ProvidedVolumes,
  env: Record<string, string>,
): Mount[] {
  return (container.volumeMounts ?? []).map(({ name, mountPath, subPath, subPathExpr, readOnly }) => {
    const directory = directories.get(name)
    if (directory === undefined)
      throw new CannotStart(`volume ${JSON.stringify(name)} is mounted and not declared`, cannotMount)
    const inner = subPathExpr === undefined ? (subPath ?? '') : expandSubPath(subPathExpr, env)
    if (inner.startsWith('/') || inner.split('/').includes('..')) {
      throw new CannotStart(`subPath ${JSON.stringify(inner)} leads out of its volume`, cannotMount)
    }
    const source = inner === '' ? directory : join(directory, inner)
    if (inner !== '' && !existsSync(source)) {
      if (keyed.has(name))
        throw new CannotStart(`volume ${JSON.stringify(name)} has no ${JSON.stringify(inner)}`, cannotMount)
      mkdirSync(source, { recursive: true })
    }
    const fixed = readOnly === true || keyed.has(name) || readOnlyVolumes.has(name)
    return { mountPath: cleanMountPath(mountPath), source, readOnly: fixed, growable: !fixed && !hosted.has(name) }
  })
}

/** Unlike elsewhere nothing may stay as it is written: all replicas would share the directory of that name. */
function expandSubPath(subPathExpr: string, env: Record<string, string>): string {
  return expand(subPathExpr, (variable) => {
    if (env[variable]) return env[variable]
    const message = `subPathExpr ${JSON.stringify(subPathExpr)} names ${variable}, which has no value`
    throw new CannotStart(message, cannotMount)
  })
}

function cleanMountPath(mountPath: string): string {
  const clean = normalize(`/${mountPath}`).replace(/\/+$/, '')
  if (clean === '') throw new CannotStart('a volume cannot be mounted at /', cannotMount)
  return clean
}

/** Replaces each path at or under a mountPath by the real one. A mountPath within a longer path, a URL or a word is not
 * one, and where mounts lie within each other the innermost counts. */
export function substitutePaths(text: string, mounts: Mount[]): string {
  const ordered = [...mounts].sort((a, b) => b.mountPath.length - a.mountPath.length)
  const known = new Map(ordered.map(({ mountPath, source }) => [mountPath, source]))
  if (known.size === 0) return text
  const paths = ordered.map(({ mountPath }) => escapePattern(mountPath)).join('|')
  const pattern = new RegExp(`(?<![\\w./~$})-])(${paths})(?![\\w.-])`, 'g')
  return text.replace(pattern, (path) => known.get(path)!)
}
