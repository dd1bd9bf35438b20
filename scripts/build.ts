// npm run build: what is packed. JavaScript of the program and of the TypeScript users' door, and declarations.
import { readFileSync, rmSync } from 'node:fs'
import { bundle } from './build/bundle.ts'
import { elapsed } from './elapsed.ts'
import { runProgram } from './run-program.ts'

const BUNDLED = new Set(['@marcbachmann/cel-js', 'commander', 'yaml'])

const start = performance.now()
const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}
rmSync('dist', { recursive: true, force: true })
const bytes = await bundle({
  entryPoints: ['src/main/cli.ts', 'src/main/index.ts'],
  outdir: 'dist',
  // What every command reads is bundled: finding and opening its files costs more than running it.
  external: Object.keys(dependencies).filter((name) => !BUNDLED.has(name)),
  inject: ['scripts/build/node-20.js'],
})
const { code, output } = await runProgram('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json'])
if (code !== 0) console.log(output.trimEnd())
console.log(`build: trainyard ${version}, ${(bytes / 1024).toFixed(0)} KB of JavaScript (${elapsed(start)})`)
process.exitCode = code === 0 ? 0 : 1
