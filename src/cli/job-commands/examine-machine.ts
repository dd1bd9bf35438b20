// What a machine needs to run jobs, one check each.
import { execFile } from 'node:child_process'
import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Check } from './doctor-view.ts'

type Env = Readonly<Record<string, string | undefined>>

const run = promisify(execFile)
const PATIENCE = 20_000
const GB = 1e9
const TOO_LITTLE = GB
const NOT_MUCH = 5 * GB
/** A home with more files than this is large enough to say no more. */
const MOST_FILES = 50_000

export async function examineNode(env: Env): Promise<Check> {
  const { node: version } = process.versions
  const own = findOnPath('node', env, (folder) => !folder.includes('node_modules'))
  const ownVersion = own && (await versionOf(own)).replace(/^v/, '')
  const others = ownVersion && ownVersion !== version ? ` (from the project; the machine's own is ${ownVersion})` : ''
  return { name: 'node', status: 'fine', message: `${version}${others}` }
}

async function versionOf(program: string): Promise<string> {
  const { stdout } = await run(program, ['--version'], { timeout: PATIENCE }).catch(() => ({ stdout: '' }))
  return stdout.trim()
}

export function examineToken(files: readonly string[], url: string | undefined): Check {
  const open = files.find((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
  if (open !== undefined) {
    return { name: 'token', status: 'problem', message: `others may read ${open}`, fix: `chmod 600 ${open}` }
  }
  const host = url && new URL(url).hostname
  const where = host === undefined || host === '127.0.0.1' ? 'loopback only' : `reachable at ${host}`
  return { name: 'token', status: where === 'loopback only' ? 'fine' : 'problem', message: `0600, ${where}` }
}

export function examineDisk(directory: string): Check {
  const { bavail, bsize } = statfsSync(directory)
  return judgeDisk(bavail * bsize)
}

export function judgeDisk(free: number): Check {
  const message = `${free < 10 * GB ? (free / GB).toFixed(1) : Math.floor(free / GB)} GB free`
  if (free >= NOT_MUCH) return { name: 'disk', status: 'fine', message }
  const fix = 'remove what you no longer need: trainyard delete NAME'
  return { name: 'disk', status: free < TOO_LITTLE ? 'problem' : 'remark', message, fix }
}

export function describeSandbox(mounts: boolean): Check {
  const name = 'sandbox'
  if (mounts) return { name, status: 'fine', message: 'mount namespaces work: volumes lie at their mount paths' }
  const message = 'no mount namespaces here: paths to volumes are rewritten in commands and variables instead'
  return { name, status: 'remark', message }
}

/** `most`: what a pod may have; undefined where nobody counts. */
export function describeProcesses(most: number | undefined): Check {
  const name = 'processes'
  if (most === 0) return { name, status: 'remark', message: 'a pod may have any number: the home was started so' }
  if (most !== undefined) return { name, status: 'fine', message: `at most ${most} processes and threads a pod` }
  const message =
    'not limited, control groups are not ours to divide: a job that forks without end takes the machine down'
  return { name, status: 'remark', message }
}

/** Looks without importing: importing torch takes seconds. */
const ASK = `
import importlib.util, importlib.metadata, platform
found = importlib.util.find_spec("torch") is not None
try:
    version = importlib.metadata.version("torch") if found else ""
except importlib.metadata.PackageNotFoundError:
    version = "of unknown version"
print(platform.python_version() + " " + version)
`

export async function examinePython(env: Env): Promise<Check> {
  const name = 'python'
  const python = findOnPath('python3', env)
  if (!python) {
    return {
      name,
      status: 'problem',
      message: 'no python3 on PATH; python and torchrun jobs will fail',
      fix: 'install Python 3',
    }
  }
  try {
    const { stdout } = await run(python, ['-c', ASK], { timeout: PATIENCE })
    const [version, ...torch] = stdout.trim().split(' ')
    if (torch.length > 0) return { name, status: 'fine', message: `${version}, torch ${torch.join(' ')} in ${python}` }
    return {
      name,
      status: 'problem',
      message: `no module torch in ${python}; torchrun jobs will fail`,
      fix: "pip install torch, or put your virtual environment's bin first on PATH",
    }
  } catch {
    return { name, status: 'problem', message: `${python} does not run`, fix: 'install Python 3' }
  }
}

function findOnPath(program: string, env: Env, counts: (folder: string) => boolean = () => true): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && counts(folder))
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

export async function sizeOf(directory: string): Promise<number> {
  let size = 0
  let files = 0
  for await (const entry of await opendir(directory, { recursive: true })) {
    if (entry.isFile()) size += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
    if (++files >= MOST_FILES) break
  }
  return size
}
