// Everything a manifest can get wrong, one file each, with the answer it gets. `npx vitest run test/cli -u` writes
// the answers anew; read the difference before committing it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli, transcript } from './run-cli.ts'

const folder = import.meta.dirname
const start = process.cwd()
beforeAll(() => process.chdir(join(folder, 'golden', 'bad')))
afterAll(() => process.chdir(start))

/** Words of the libraries underneath, which no user should have to read. */
const FOREIGN =
  /YAMLParseError|implicit map key|flow (sequence|collection)|block scalar|undefined|\[object|NaN|TypeError|RangeError|commander|CEL|oldSelf|has\(self/i

describe.each(readdirSync(join(folder, 'golden', 'bad')))('%s', (file) => {
  test('is refused with a clear answer', async () => {
    const args = ['validate', '-f', file]
    const ran = await runCli(args)
    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toBe('')
    expect(ran.stdout).not.toMatch(FOREIGN)
    await expect(transcript(args, ran)).toMatchFileSnapshot(join(folder, 'golden', 'answers', `${file}.txt`))
  })

  test('is refused by plan in the same words, and as data', async () => {
    const [validated, planned, data] = [
      await runCli(['validate', '-f', file]),
      await runCli(['plan', '-f', file]),
      await runCli(['plan', '-f', file, '-o', 'json']),
    ]
    expect(planned).toEqual({ stdout: '', stderr: validated.stdout, exitCode: 1 })
    expect(data.exitCode).toBe(1)
    const { errors } = JSON.parse(data.stdout)
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors)
      expect(error).toEqual({
        file,
        path: expect.any(String),
        line: expect.any(Number),
        column: expect.any(Number),
        message: expect.any(String),
      })
  })
})
