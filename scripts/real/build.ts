import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { elapsed } from '../elapsed.ts'
import { runProgram } from '../run-program.ts'
import { moduleDir, requireModule } from './modules.ts'
import { givenProgram, programDir } from './places.ts'
import { PINNED_MODULE, type Program, programNamed } from './programs.ts'

const stampOf = (program: Program): string => join(programDir(), '.stamps', program.name)

export function isBuilt(program: Program): boolean {
  if (!existsSync(join(programDir(), program.name)) || !existsSync(stampOf(program))) return false
  return readFileSync(stampOf(program), 'utf8').trim() === program.version
}

/** Builds what is neither given by the user nor built at its pinned version. */
export async function buildPrograms(names: readonly string[], say: (line: string) => void): Promise<void> {
  for (const program of names.map(programNamed)) {
    if (givenProgram(program.name) || isBuilt(program)) continue
    const start = performance.now()
    say(`building ${program.name} ${program.version}, the first time takes minutes`)
    const beat = setInterval(() => say(`building ${program.name}: ${elapsed(start)}`), 30_000)
    try {
      await buildProgram(program)
    } finally {
      clearInterval(beat)
    }
    say(`built ${program.name} ${program.version} in ${elapsed(start)}`)
  }
}

async function buildProgram(program: Program): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'trainyard-build-'))
  try {
    const made = join(scratch, program.from === 'released' ? basename(program.package) : program.name)
    const variables = Object.entries(program.variables ?? {}).map(([name, value]) => `-X ${name}=${value}`)
    const tags = program.tags ? ['-tags', program.tags.join(',')] : []
    const flags = ['-trimpath', ...tags, '-ldflags', ['-s', '-w', ...variables].join(' ')]
    if (program.from === 'required') await requireModule(scratch, program.package, program.version)
    const args =
      program.from === 'released'
        ? ['install', ...flags, `${program.package}@${program.version}`]
        : ['build', `-mod=${program.from === 'required' ? 'mod' : 'readonly'}`, ...flags, '-o', made, program.package]
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOBIN: scratch }
    const inside = program.module && (await moduleDir(program.module, program.version))
    const cwd = inside ?? (program.from === 'pinned' ? PINNED_MODULE : scratch)
    const { code, output } = await runProgram('go', args, { cwd, env }).catch(() => {
      throw new Error(`${program.name} is built with Go, and there is no go on the PATH; see https://go.dev/dl`)
    })
    if (code !== 0) throw new Error(`cannot build ${program.name} ${program.version}:\n${output.trimEnd()}`)
    install(made, program)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

// By renaming: a program that is running or being built by someone else at the same time stays whole.
function install(made: string, program: Program): void {
  mkdirSync(join(programDir(), '.stamps'), { recursive: true })
  const target = join(programDir(), program.name)
  const copy = `${target}.${process.pid}`
  copyFileSync(made, copy)
  chmodSync(copy, 0o755)
  renameSync(copy, target)
  writeFileSync(stampOf(program), `${program.version}\n`)
}
