import { resolve } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { jsonAsText } from './json-as-text.ts'

export const bundleOptions = {
  outbase: 'src',
  bundle: true,
  // What a command does not need it does not load: dynamic imports stay files of their own.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Its modules for Node are CommonJS, which ask for their parts at run time.
  alias: { yaml: resolve('node_modules/yaml/browser/index.js') },
  plugins: [jsonAsText],
  logLevel: 'warning',
} satisfies BuildOptions

/** For bundles with packages inside that are CommonJS: they ask for Node's own modules at run time. */
export const requireForCommonJs = {
  js: "import { createRequire as makeRequire } from 'node:module'\nconst require = makeRequire(import.meta.url)",
}

/** JavaScript from the sources; resolves with its size in bytes. */
export async function bundle(options: BuildOptions & { entryPoints: string[]; outdir: string }): Promise<number> {
  const { metafile } = await build({ ...bundleOptions, ...options, metafile: true })
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0)
}
