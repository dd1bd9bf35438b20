// torch from PyPI is linked against CUDA's libraries, gigabytes that a machine without a GPU has no use for. Libraries
// of the same names, in which every function says that there is no device, let it load and train on the CPU.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { mustRun } from '../run-program.ts'

const NO_DEVICE = 100
const env = { ...process.env, LC_ALL: 'C' }

/** Writes what is missing beside the libraries of torch; says how many libraries that were. */
export async function stubMissingLibraries(directory: string): Promise<number> {
  const libraries = readdirSync(directory).flatMap((name) => (name.includes('.so') ? [join(directory, name)] : []))
  const missing = new Set<string>()
  for (const library of libraries) {
    const needed = await mustRun('ldd', [library], { env })
    for (const [, name] of needed.matchAll(/^\s*(\S+) => not found$/gm)) missing.add(name!)
  }
  const wanted = await findWanted(libraries, missing)
  for (const name of missing) await compile(directory, name, wanted.byLibrary.get(name), wanted.unversioned)
  return missing.size
}

interface Wanted {
  /** Library → version → functions. */
  byLibrary: Map<string, Map<string, Set<string>>>
  /** Functions of which only the name is known; any of the libraries may have them. */
  unversioned: Set<string>
}

async function findWanted(libraries: readonly string[], missing: ReadonlySet<string>): Promise<Wanted> {
  const libraryOf = new Map<string, string>()
  for (const library of libraries) {
    const versions = await mustRun('readelf', ['--wide', '--version-info', library], { env })
    let from = ''
    for (const [, file, version] of versions.matchAll(/Version: 1 +File: (\S+)|Name: (\S+) +Flags/g)) {
      if (file) from = file
      else if (version && missing.has(from)) libraryOf.set(version, from)
    }
  }
  const byLibrary: Wanted['byLibrary'] = new Map()
  const [unversioned, defined] = [new Set<string>(), new Set<string>()]
  for (const library of libraries) {
    const symbols = await mustRun('readelf', ['--wide', '--dyn-syms', library], { env })
    for (const line of symbols.split('\n')) {
      const [, , , type, binding, , section, name = ''] = line.trim().split(/\s+/)
      const [symbol = '', version = ''] = name.split(/@+/)
      const from = libraryOf.get(version)
      if (section !== 'UND') defined.add(symbol)
      else if (from)
        entryOf(
          entryOf(byLibrary, from, () => new Map()),
          version,
          () => new Set<string>(),
        ).add(symbol)
      else if (!version && type === 'FUNC' && binding === 'GLOBAL') unversioned.add(symbol)
    }
  }
  return { byLibrary, unversioned: new Set([...unversioned].filter((symbol) => !defined.has(symbol))) }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const entry = map.get(key) ?? make()
  map.set(key, entry)
  return entry
}

async function compile(
  directory: string,
  name: string,
  versions: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
  unversioned: ReadonlySet<string>,
): Promise<void> {
  const functions = versions.size > 0 ? [...versions.values()].flatMap((symbols) => [...symbols]) : [...unversioned]
  const [source, script] = [join(directory, `${basename(name)}.c`), join(directory, `${basename(name)}.map`)]
  writeFileSync(source, functions.map((symbol) => `int ${symbol}(void) { return ${NO_DEVICE}; }\n`).join(''))
  const blocks = [...versions].map(([version, symbols]) => `${version} { global: ${[...symbols].join('; ')}; };\n`)
  writeFileSync(script, blocks.join(''))
  const linking = [`-Wl,-soname=${name}`, ...(versions.size > 0 ? [`-Wl,--version-script=${script}`] : [])]
  // Some of them bear the names of functions the compiler believes to know.
  await mustRun('gcc', ['-shared', '-fPIC', '-fno-builtin', '-w', ...linking, '-o', join(directory, name), source])
  for (const file of [source, script]) rmSync(file)
}
