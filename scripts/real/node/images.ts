// Images made of files of this machine: there is no registry to pull from.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mustRun } from '../../run-program.ts'

export interface ImageRecipe {
  name: string
  /** Path in the image → file of this machine. */
  files: Record<string, string>
  /** Path in the image → where it leads. */
  links?: Record<string, string>
  /** Folders of this machine that are at the same place in the image, without some of what is in them. */
  trees?: { folders: readonly string[]; without: readonly string[] }
  entrypoint?: readonly string[]
  /** Only this node gets it: a large one takes time. */
  node?: string
}

const tar = (dir: string, out: string, ...what: string[]): Promise<string> =>
  mustRun('tar', [
    '-C',
    dir,
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mtime=@0',
    '-cf',
    out,
    ...what,
  ])

/** In the form that `ctr image import` reads; returns the archive's path. */
export async function buildImage(
  { name, files, links = {}, trees, entrypoint = [] }: ImageRecipe,
  dir: string,
): Promise<string> {
  const root = join(dir, 'root')
  for (const folder of ['tmp', 'etc', 'bin']) mkdirSync(join(root, folder), { recursive: true })
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    copyFileSync(source, join(root, path))
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path))
  const layers = ['layer.tar']
  await tar(root, join(dir, 'layer.tar'), '.')
  if (trees) {
    layers.push('trees.tar')
    const without = trees.without.map((path) => `--exclude=${path.slice(1)}`)
    const folders = trees.folders.map((path) => path.slice(1))
    // Files keep their times: Python believes what it has compiled only as long as its sources do.
    await mustRun('tar', ['-C', '/', '--anchored', ...without, '-cf', join(dir, 'trees.tar'), ...folders])
  }
  const digests = layers.map((layer) =>
    createHash('sha256')
      .update(readFileSync(join(dir, layer)))
      .digest('hex'),
  )
  const config = {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Env: ['PATH=/bin:/usr/bin'], Entrypoint: entrypoint },
    rootfs: { type: 'layers', diff_ids: digests.map((digest) => `sha256:${digest}`) },
  }
  writeFileSync(join(dir, 'config.json'), JSON.stringify(config))
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: layers }]
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest))
  const archive = join(dir, 'image.tar')
  await tar(dir, archive, 'manifest.json', 'config.json', ...layers)
  return archive
}
