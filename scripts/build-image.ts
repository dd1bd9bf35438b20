// node scripts/build-image.ts [FOLDER]: the program as the image holds it. One folder without node_modules that any Node
// since 24 runs: node FOLDER/dist/main/cli.js operator
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, requireForCommonJs } from './build/bundle.ts'
import { elapsed } from './elapsed.ts'

export const DEFAULT_FOLDER = 'dist/image'

/** What is inside comes from the sources, whole; resolves with its size in bytes. */
export async function buildImageFolder(folder: string): Promise<number> {
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, license, type: 'module', private: true }))
  return bundle({
    entryPoints: ['src/main/cli.ts'],
    outdir: join(folder, 'dist'),
    minifySyntax: true,
    banner: requireForCommonJs,
  })
}

/** What the image runs, for a folder on this machine. */
export function entrypointOf(folder: string): string[] {
  const line = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync('deploy/image/Dockerfile', 'utf8'))?.[1] ?? '[]'
  const [, ...args] = JSON.parse(line) as string[]
  return [process.execPath, ...args.map((arg) => arg.replace(/^\/app\//, `${resolve(folder)}/`))]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const start = performance.now()
  const folder = process.argv[2] ?? DEFAULT_FOLDER
  const bytes = await buildImageFolder(folder)
  console.log(`build-image: ${folder}, ${(bytes / 1024).toFixed(0)} KB of JavaScript (${elapsed(start)})`)
}
