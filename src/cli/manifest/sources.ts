// What `-f` names: files, directories (their manifests, not those of folders within), or `-` for standard input.
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../../api/nearest.ts'
import { UsageError } from '../usage-error.ts'
import { MAX_BYTES } from './decode.ts'

/** Bytes to look at, or the size alone where it is more than any manifest may have. */
export interface Source {
  file: string
  bytes: Uint8Array
  size: number
}

const EXTENSIONS = /\.(ya?ml|json)$/

export async function readSources(names: readonly string[], stdin: () => Promise<Uint8Array>): Promise<Source[]> {
  const sources: Source[] = []
  for (const name of names) {
    if (name === '-') {
      const bytes = await stdin()
      sources.push({ file: 'stdin', bytes, size: bytes.length })
    } else sources.push(...listFiles(name).map(readSource))
  }
  return sources
}

function listFiles(name: string): string[] {
  if (/^https?:\/\//.test(name)) {
    throw new UsageError(
      `${name} is an address; download it and hand it over with -f -`,
      `curl -s ${name} | trainyard validate -f -`,
    )
  }
  const stat = statSync(name, { throwIfNoEntry: false })
  if (!stat) throw missing(name)
  if (!stat.isDirectory()) return [name]
  const files = readable(name, () => readdirSync(name, { withFileTypes: true }))
    .filter((entry) => !entry.isDirectory() && EXTENSIONS.test(entry.name))
    .map((entry) => join(name, entry.name))
    .sort()
  if (files.length === 0)
    throw new UsageError(`${name} has no .yaml, .yml or .json file in it; folders within it are not searched`)
  return files
}

function readSource(file: string): Source {
  return readable(file, () => {
    const descriptor = openSync(file, 'r')
    try {
      const { size } = fstatSync(descriptor)
      if (size > MAX_BYTES) return { file, bytes: new Uint8Array(0), size }
      const bytes = readFileSync(descriptor)
      return { file, bytes, size: bytes.length }
    } finally {
      closeSync(descriptor)
    }
  })
}

function missing(name: string): UsageError {
  const near = nearest(basename(name), namesBeside(name))
  const folder = dirname(name)
  const suggestion = near && (folder === '.' ? near : join(folder, near))
  return new UsageError(`there is no file ${name}${suggestion ? `; did you mean ${suggestion}?` : ''}`)
}

function namesBeside(name: string): string[] {
  try {
    return readdirSync(dirname(name))
  } catch {
    return []
  }
}

function readable<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EACCES' || code === 'EPERM') throw new UsageError(`${name} may not be read by you`)
    throw new UsageError(`${name} cannot be read (${code ?? 'unknown reason'})`)
  }
}
