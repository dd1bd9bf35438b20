import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { startTestServer } from '../server/client.ts'

test('the official Python client creates, lists, watches, errs and deletes', async () => {
  const python = process.env.TRAINYARD_PYTHON
  if (!python) throw new Error('this suite needs a Python with the kubernetes package; run it by: npm run test:api')
  const server = await startTestServer()
  const child = spawn(python, [join(import.meta.dirname, 'client.py'), server.server.kubeconfigPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: unknown[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  expect(lines).toEqual([
    ['pod', 'Pending', 'ClusterFirst', { cpu: '500m' }],
    ['maps', ['m']],
    ['MODIFIED', { a: '1', b: '2' }],
    ['error', 404, 'NotFound'],
    ['error', 409, 'AlreadyExists'],
    ['deleted', 'p'],
    ['version', '1'],
  ])
})
