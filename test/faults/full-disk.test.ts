import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import { launcher } from '../run/run-cli.ts'

test('on a full disk writes are refused in words; when there is room again the true end is told', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-full-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  // A mount of its own, which nobody else sees and which goes with the last process in it.
  const apart = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount']
  const script = join(import.meta.dirname, 'full-disk.sh')
  const args = [...apart, 'sh', script, process.execPath, launcher, dir]
  const { output } = await runProgram('unshare', args, { env: { ...process.env, NO_COLOR: '1' } })
  expect(output).toContain(
    'while it is full: exit 3, trainyard: Internal error occurred: the write could not be stored; is the disk full?\n',
  )
  expect(output).toContain('\nafterwards: exit 1\n')
  expect(output).toMatch(/\nworker-0 failed: exit 5\nfull Failed: .* First to fail: worker-0, exit 5\.\n/)
  expect(output).toMatch(/\nanother job: exit 0\n$/)
}, 180_000)
