// The program of a checkout in a few files, for the launcher (bin/find-program.js). Parts are named by what is in them and
// put in place whole, the record last: a build that is interrupted, or two at once, leave either the old bundle or a
// new one. Parts of an older bundle stay for a while, since a home that runs may yet ask for them.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build, transform } from 'esbuild'
import { bundleOptions } from './bundle.ts'

const PROGRAM = 'src/main/cli.ts'
const PACKAGES = 'node_modules/'
/** What npm writes down whenever it changes a package; to look at all their files would take twice as long. */
const INSTALLED = 'node_modules/.package-lock.json'
const KEPT = 7 * 24 * 3600_000
/** The system's clock for files may be a few milliseconds behind ours. */
const CLOCKS_APART = 100

/** Resolves with the file of each entry and lazily loaded source; undefined if a source was changed meanwhile. */
export async function bundleCheckout(root: string, record: string): Promise<Map<string, string> | undefined> {
  const begun = Date.now()
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: [PROGRAM],
    entryNames: '[dir]/[name]-[hash]',
    outdir: dirname(record),
    logLevel: 'silent',
    metafile: true,
    write: false,
  })
  const own = Object.keys(metafile.inputs).filter((file) => !file.startsWith(PACKAGES))
  const files = [...own, INSTALLED].map((file) => {
    const { size, mtimeMs } = statSync(join(root, file))
    return [file, size, mtimeMs] as const
  })
  if (files.some(([, , mtime]) => mtime > begun - CLOCKS_APART)) return undefined
  putInPlace(join(root, dirname(record), 'package.json'), '{"type":"commonjs"}')
  for (const { path, text } of outputFiles) {
    if (existsSync(path)) utimesSync(path, begun / 1000, begun / 1000)
    else putInPlace(path, await asCommonJs(text))
  }
  const parts = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : ([[entryPoint, path]] as const),
  )
  const places = new Map(parts)
  putInPlace(join(root, record), JSON.stringify({ program: places.get(PROGRAM), files }))
  removeOlder(join(root, dirname(record)), begun - KEPT)
  return places
}

const OWN_URL = "const ownUrl = require('node:url').pathToFileURL(__filename).href"

/** Node finds, reads and links modules of the older kind sooner, and every command waits for it. */
async function asCommonJs(code: string): Promise<string> {
  const { code: converted } = await transform(code, {
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'ownUrl' },
    ...(code.includes('import.meta.url') && { banner: OWN_URL }),
    minifySyntax: true,
    minifyWhitespace: true,
  })
  return converted
}

function putInPlace(path: string, contents: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}`)
  writeFileSync(unfinished, contents)
  renameSync(unfinished, path)
}

function removeOlder(folder: string, time: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && statSync(path).mtimeMs < time) rmSync(path, { force: true })
  }
}
