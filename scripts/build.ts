// npm run build: what is packed. JavaScript of the program and of the TypeScript users' door, and declarations.
import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { jsonAsText } from './build/json-as-text.ts'
import { elapsed } from './elapsed.ts'
import { runProgram } from './run-program.ts'

const BUNDLED = new Set(['@marcbachmann/cel-js', 'commander', 'yaml'])

const start = performance.now()
const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}
rmSync('dist', { recursive: true, force: true })
const result = await build({
  entryPoints: ['src/main/cli.ts', 'src/main/index.ts'],
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  // What a command does not need it does not load: dynamic imports stay files of their own.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // What every command reads is bundled: finding and opening its files costs more than running it.
  external: Object.keys(dependencies).filter((name) => !BUNDLED.has(name)),
  // Its modules for Node are CommonJS, which ask for their parts at run time.
  alias: { yaml: resolve('node_modules/yaml/browser/index.js') },
  inject: ['scripts/build/node-20.js'],
  plugins: [jsonAsText],
  metafile: true,
  logLevel: 'warning',
})
const { code, output } = await runProgram('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json'])
if (code !== 0) console.log(output.trimEnd())
const bytes = Object.values(result.metafile.outputs).reduce((sum, file) => sum + file.bytes, 0)
console.log(`build: trainyard ${version}, ${(bytes / 1024).toFixed(0)} KB of JavaScript (${elapsed(start)})`)
process.exitCode = code === 0 ? 0 : 1
