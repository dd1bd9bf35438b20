import { expect, test } from 'vitest'
import type { Style } from '../output/terminal.ts'
import { type Check, renderChecks } from './doctor-view.ts'

const plain: Style = { width: 100, utf8: true, coloured: false, paint: (_, text) => text, ellipsis: '…' }
const checks: Check[] = [
  { name: 'node', status: 'fine', message: "24.21.0 (from the project; the machine's own is 20.20.2)" },
  { name: 'sandbox', status: 'remark', message: 'paths are rewritten' },
  {
    name: 'python',
    status: 'problem',
    message: 'no module torch in /usr/bin/python3; torchrun jobs will fail',
    fix: "pip install torch, or put your virtual environment's bin first on PATH",
  },
]

test('findings stand below each other with what to do', () => {
  expect(
    renderChecks(checks, plain).join('\n'),
  ).toBe(`✓ node         24.21.0 (from the project; the machine's own is 20.20.2)
! sandbox      paths are rewritten
✗ python       no module torch in /usr/bin/python3; torchrun jobs will fail
               fix: pip install torch, or put your virtual environment's bin first on PATH
1 problem, 1 remark`)
})

test('a healthy machine, without UTF-8 and on a narrow page', () => {
  const narrow = { ...plain, utf8: false, width: 40 }
  expect(
    renderChecks([{ name: 'disk', status: 'fine', message: 'there is quite a lot of room left' }], narrow),
  ).toEqual(['o disk         there is quite a lot of', '               room left', 'no problems'])
})
