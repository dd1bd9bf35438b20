// The example of docs/typescript.md prints what the page says it prints.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('docs/typescript.md', async () => {
  const page = readFileSync(new URL('../../docs/typescript.md', import.meta.url), 'utf8')
  const [, program] = /```js\n([\s\S]*?)```/.exec(page)!
  const [, printed] = /It prints\n\n((?: {4}.*\n)+)/.exec(page)!
  const door = new URL('./index.ts', import.meta.url).href
  const source = program!.replace("from 'trainyard'", `from '${door}'`)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source])
  expect(stdout).toBe(printed!.replace(/^ {4}/gm, ''))
})
