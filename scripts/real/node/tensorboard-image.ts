// The genuine TensorBoard as an image: an environment of the cache, the Python it was made with, and the libraries of both.
import { globSync, readlinkSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mustRun } from '../../run-program.ts'
import type { NodeTools } from './debian-tools.ts'
import type { ImageRecipe } from './images.ts'

/** What no program needs is half of Python's own library, and a fifth of the environment. */
const NEEDLESS = [
  'site-packages',
  'dist-packages',
  'test',
  'idlelib',
  'tkinter',
  'ensurepip',
  'config-*',
  '*.opt-?.pyc',
]
const NEEDLESS_HERE = ['include', 'lib/python3*/site-packages/pip', 'lib/python3*/site-packages/numpy/*/tests']

export async function tensorboardImage(name: string, programs: string, { busybox }: NodeTools): Promise<ImageRecipe> {
  const python = join(programs, 'python3')
  const base = resolve(programs, readlinkSync(python))
  const itself = realpathSync(python)
  const environment = join(programs, '..')
  const ask = 'import sysconfig; print(sysconfig.get_path("stdlib"))'
  const library = (await mustRun(python, ['-c', ask])).trim()
  const folders = [environment, library]
  const binaries = [
    itself,
    ...globSync(join(library, 'lib-dynload', '*.so')),
    ...globSync(join(environment, 'lib/python3*/site-packages/**/*.so*')),
    ...globSync(join(environment, 'lib/python3*/site-packages/tensorboard_data_server/bin/server')),
  ]
  const linked = await mustRun('ldd', binaries)
  const libraries = [...linked.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1]!)
  const files = [...new Set(libraries), itself].filter(
    (path) => !folders.some((folder) => path.startsWith(`${folder}/`)),
  )
  return {
    name,
    files: { 'bin/busybox': busybox, ...Object.fromEntries(files.map((path) => [path.slice(1), path])) },
    links: {
      ...Object.fromEntries(['sh', 'ls', 'sleep'].map((program) => [`bin/${program}`, 'busybox'])),
      'bin/tensorboard': join(programs, 'tensorboard'),
      // What the environment calls Python may be one of several names of it.
      ...(base !== itself && { [base.slice(1)]: itself }),
    },
    trees: {
      folders,
      without: [
        ...NEEDLESS.map((path) => join(library, path)),
        ...NEEDLESS_HERE.map((path) => join(environment, path)),
      ],
    },
  }
}
