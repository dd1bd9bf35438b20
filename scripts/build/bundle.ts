import { resolve } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { jsonAsText } from './json-as-text.ts'

/** JavaScript from the sources; resolves with its size in bytes. */
export async function bundle(options: BuildOptions & { entryPoints: string[]; outdir: string }): Promise<number> {
  const { metafile } = await build({
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
    ...options,
    metafile: true,
  })
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0)
}
