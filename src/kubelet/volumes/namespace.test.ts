import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('a table of mounts for which there is no room is not taken for a whole one afterwards', () => {
  const place = mkdtempSync(join(tmpdir(), 'trainyard-namespace-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const build = `
    const { buildNamespacePrefix } = await import(${JSON.stringify(new URL('./namespace.ts', import.meta.url))})
    const mounts = [{ mountPath: '/trainyard-none', source: '/', readOnly: true }]
    try {
      buildNamespacePrefix({ unshare: [], mount: '', chroot: '' }, process.argv[1], mounts, '/')
    } catch ({ code }) {
      console.log(code)
    }`
  // Files may be made and not be written, as on a full disk.
  const script = 'trap "" XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1" "$2"'
  expect(execFileSync('/bin/sh', ['-c', script, process.execPath, build, place], { encoding: 'utf8' })).toBe('EFBIG\n')
  expect(existsSync(join(place, 'mounts'))).toBe(false)
})
