// Every example is whole: a page, a place in the list, a test, and programs that can be read.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXAMPLES } from '../../scripts/training/examples.ts'
import { readManifestText } from '../../src/cli/manifest/manifest.ts'

const root = resolve(import.meta.dirname, '../..')
const names = readdirSync(join(root, 'examples'))

describe.each(names)('%s', (name) => {
  const folder = join(root, 'examples', name)
  const manifest = join(folder, 'job.yaml')

  test('has a page, and stands in the list', () => {
    expect(existsSync(join(folder, 'README.md'))).toBe(true)
    expect(readFileSync(join(root, 'docs/examples.md'), 'utf8')).toContain(`(../examples/${name}/README.md)`)
  })

  test('has a test, here or in the training suite', () => {
    const trained = EXAMPLES.some((example) => example.name === name)
    expect(existsSync(join(root, 'test', trained ? 'training' : 'examples', `${name}.test.ts`))).toBe(true)
  })

  test('brings programs that can be read', () => {
    const { manifests } = existsSync(manifest)
      ? readManifestText('job.yaml', readFileSync(manifest, 'utf8'))
      : { manifests: [] }
    const maps = manifests.map(({ object }) => (object as { data?: Record<string, string> } | undefined)?.data ?? {})
    const programs = maps.flatMap((data) => Object.entries(data))
    for (const [file, input] of programs) {
      const { status, stderr } = file.endsWith('.py')
        ? spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input, encoding: 'utf8' })
        : spawnSync(process.execPath, ['--input-type=module', '--check'], { input, encoding: 'utf8' })
      expect(stderr).toBe('')
      expect(status).toBe(0)
    }
    expect(programs.length > 0 || existsSync(join(folder, 'train.py'))).toBe(true)
  })
})
