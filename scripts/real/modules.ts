import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mustRun } from '../run-program.ts'

/** Where Go keeps the sources of a module; it fetches them the first time. */
export async function moduleDir(module: string, version: string): Promise<string> {
  // Outside any module of ours, whose requirements would have a say in it.
  const answer = await mustRun('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: tmpdir() })
  const { Dir, Error: problem } = JSON.parse(answer.slice(answer.indexOf('{'))) as { Dir?: string; Error?: string }
  if (!Dir) throw new Error(`cannot fetch ${module} ${version}: ${problem ?? 'no directory'}`)
  return Dir
}

/**
 * A module in `dir` that requires another one with all its requirements: `go install` wants the list of versions, which not
 * every proxy has.
 */
export async function requireModule(dir: string, module: string, version: string): Promise<void> {
  const sources = await moduleDir(module, version)
  const goMod = readFileSync(join(sources, 'go.mod'), 'utf8')
  const goVersion = /^go \S+$/m.exec(goMod)?.[0] ?? ''
  const required = goMod.match(/^require \([^)]*\)$/gm) ?? []
  const lines = ['module trainyard.dev/build', goVersion, `require ${module} ${version}`, ...required]
  writeFileSync(join(dir, 'go.mod'), `${lines.join('\n')}\n`)
  writeFileSync(join(dir, 'go.sum'), readFileSync(join(sources, 'go.sum')))
}
