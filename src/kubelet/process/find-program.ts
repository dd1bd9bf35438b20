import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { nearest } from '../../api/nearest.ts'

/** Why a container cannot be started, with the exit code a shell would give. */
export class CannotStart extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.name = 'CannotStart'
    this.exitCode = exitCode
  }
}

const notExecutable = 126
const notFound = 127

type Locate = (path: string) => string

/** The program's absolute path, looked up as exec does: on PATH, or as a path from the working directory.
 * `locate` says where a path, as the program will see it, is now. */
export function findProgram(name: string, path: string, cwd: string, locate: Locate = (path) => path): string {
  if (name === '') throw new CannotStart('its command is an empty text', notFound)
  if (name.includes('/')) return checkProgram(name, resolve(cwd, name), cwd, locate)
  const directories = path.split(delimiter)
  for (const directory of directories) {
    const candidate = resolve(cwd, directory, name)
    if (isProgram(locate(candidate))) return candidate
  }
  const meant = nearest(name, programsIn(directories.map((directory) => locate(resolve(cwd, directory)))))
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw new CannotStart(`no program ${JSON.stringify(name)} on its PATH (${path})${hint}`, notFound)
}

function checkProgram(name: string, path: string, cwd: string, locate: Locate): string {
  const shown = JSON.stringify(name) + (isAbsolute(name) ? '' : ` in ${cwd}`)
  const kind = kindOf(locate(path))
  if (kind === undefined) throw new CannotStart(`no program ${shown}`, notFound)
  if (kind === 'directory') throw new CannotStart(`${shown} is a directory, not a program`, notExecutable)
  if (!isProgram(locate(path))) throw new CannotStart(`${shown} is not executable`, notExecutable)
  return path
}

function kindOf(path: string): 'directory' | 'other' | undefined {
  try {
    return statSync(path).isDirectory() ? 'directory' : 'other'
  } catch {
    return undefined
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function* programsIn(directories: string[]): Generator<string> {
  for (const directory of directories) {
    try {
      for (const entry of readdirSync(directory)) if (isProgram(join(directory, entry))) yield entry
    } catch {
      // A directory of PATH that does not exist.
    }
  }
}
