import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildScriptManifest } from './script-manifest.ts'

test.each([
  [['src/train.py', '--epochs', '3'], 'train'],
  [['python3', '-u', 'Fine_Tune.py', 'other.py'], 'fine-tune'],
  [['nice', '-n', '5', 'node', 'x/main.mjs'], 'main'],
  [['./prog', '--data', 'd.bin'], 'prog'],
  [['python3', '-m', 'pkg.train'], 'python3'],
  [['42.py'], 'job'],
])('%j makes a job called %s', async (script, name) => {
  const { file, text } = await buildScriptManifest({ workers: 2, torchrun: false, script, cwd: '/nowhere' })
  expect(file).toBe(`${name}.trainyard.yaml`)
  expect(parse(text).metadata).toEqual({ name })
})
