// A mount namespace for each program that has volumes, where the machine lets us make one.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeAtomically } from '../write-atomically.ts'
import type { Mount } from './mounts.ts'
import { type Bind, planSkeleton } from './skeleton.ts'
import { provideRoot } from './spare-roots.ts'

/** Fixed text: `$1` is mount(8), `$2` chroot(8), `$3` the table of binds, `$4` the new root, `$5` the directory in it. */
const enterScript = `
mount=$1 chroot=$2 table=$3 root=$4 directory=$5
shift 5
"$mount" --all --fstab "$table" || exit 125
exec "$chroot" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$directory" "$@"
`

export interface NamespaceTools {
  unshare: string[]
  mount: string
  chroot: string
}

/** Tries it out, once; undefined where it cannot be done. */
export function findNamespaceTools(): NamespaceTools | undefined {
  if (process.platform !== 'linux') return undefined
  const [unshare, mount, chroot] = ['unshare', 'mount', 'chroot'].map(findTool)
  if (!unshare || !mount || !chroot) return undefined
  const ways = [
    [unshare, '--mount', '--propagation', 'private'],
    [unshare, '--user', '--map-current-user', '--keep-caps', '--mount', '--propagation', 'private'],
  ]
  return ways.map((way) => ({ unshare: way, mount, chroot })).find(works)
}

/** The words before a program that make it see its volumes where they are mounted. `spare`: where roots may be had. */
export function buildNamespacePrefix(
  tools: NamespaceTools,
  place: string,
  mounts: Mount[],
  directory: string,
  spare?: string,
): string[] {
  const root = rootOf(place)
  const table = join(place, 'mounts')
  if (!existsSync(table)) {
    rmSync(root, { recursive: true, force: true })
    const { points, binds } = planSkeleton(mounts)
    provideRoot(root, points, spare)
    writeAtomically(table, binds.map((bind) => tableLine(root, bind)).join(''))
  }
  return [
    ...tools.unshare,
    '/bin/sh',
    '-c',
    enterScript,
    'trainyard-mounts',
    tools.mount,
    tools.chroot,
    table,
    root,
    directory,
  ]
}

/** Where the root directory lies that a container's program sees. */
export const rootOf = (place: string): string => join(place, 'root')

/** Whether something is mounted in a directory: then it must not be removed with all that is in it. */
export function hasMounts(directory: string): boolean {
  try {
    const table = readFileSync('/proc/self/mountinfo', 'utf8')
    return table.split('\n').some((line) => line.split(' ')[4]?.startsWith(`${directory}/`))
  } catch {
    return false
  }
}

function works(tools: NamespaceTools): boolean {
  const place = mkdtempSync(join(tmpdir(), 'trainyard-probe-'))
  try {
    const source = join(place, 'volume')
    mkdirSync(source)
    writeFileSync(join(source, 'word'), 'seen')
    const mountPath = `/trainyard-probe-${process.pid}`
    const prefix = buildNamespacePrefix(tools, place, [{ mountPath, source, readOnly: true }], mountPath)
    const args = [...prefix.slice(1), '/bin/sh', '-c', 'cat word']
    const seen = execFileSync(prefix[0]!, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    })
    return seen === 'seen' && !existsSync(mountPath)
  } catch {
    return false
  } finally {
    if (!hasMounts(place)) rmSync(place, { recursive: true, force: true })
  }
}

/** What is the machine's own may vanish at any time, as files in /tmp do: then it is left out. A volume may not. */
function tableLine(root: string, { source, target, readOnly, deep }: Bind): string {
  const options = `${deep ? 'rbind,nofail' : 'bind'}${readOnly ? ',ro' : ''}`
  return `${escapeField(source)} ${escapeField(join(root, target))} none ${options} 0 0\n`
}

function escapeField(path: string): string {
  return path.replace(/[\s\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
}

function findTool(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((directory) => join(directory, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
