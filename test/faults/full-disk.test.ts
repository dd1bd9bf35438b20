import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import type { JobStatus } from '../../src/api/types.ts'
import { launcher } from '../run/run-cli.ts'

/** In a mount namespace of its own, which nobody else sees and which goes with the last process in it. */
async function runApart(script: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-full-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const apart = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount']
  const args = [...apart, 'sh', join(import.meta.dirname, script), process.execPath, launcher, dir]
  const { output } = await runProgram('unshare', args, { env: { ...process.env, NO_COLOR: '1' } })
  return output
}

test('on a full disk writes are refused in words; when there is room again the true end is told', async () => {
  const output = await runApart('full-disk.sh')
  expect(output).toContain(
    'while it is full: exit 3, trainyard: Internal error occurred: the write could not be stored; is the disk full?\n',
  )
  expect(output).toContain('\nafterwards: exit 1\n')
  expect(output).toMatch(
    /\nworker-0 failed: exit 5, nothing on stderr\nfull Failed: .* First to fail: worker-0, exit 5\.\n/,
  )
  expect(output).toMatch(/\nanother job: exit 0\n$/)
}, 180_000)

test('a job whose log directory is full fails, and its own words say why', async () => {
  const output = await runApart('full-logs.sh')
  expect(output).toMatch(/No space left on device\n/)
  expect(output).toMatch(/\nrun: exit 1\n/)
  const { status } = JSON.parse(output.slice(output.indexOf('\n{'))) as { status: JobStatus }
  expect(status.phase).toBe('Failed')
  expect(status.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Failed',
      status: 'True',
      message: expect.stringMatching(/master-0 failed with exit code 1$/),
    }),
  )
}, 180_000)
