import { mustRun } from '../../run-program.ts'
import type { NodeTools } from './debian-tools.ts'
import type { ImageRecipe } from './images.ts'

/** The Node that runs this, with the libraries it is linked with, and a shell. */
export async function nodeImage(name: string, { busybox }: NodeTools): Promise<ImageRecipe> {
  const linked = await mustRun('ldd', [process.execPath])
  const libraries = [...linked.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1]!)
  return {
    name,
    files: {
      'bin/node': process.execPath,
      'bin/busybox': busybox,
      ...Object.fromEntries(libraries.map((path) => [path.slice(1), path])),
    },
    links: { 'bin/sh': 'busybox', 'bin/ls': 'busybox', 'bin/sleep': 'busybox' },
  }
}
