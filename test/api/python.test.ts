import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { PYTHON_CLIENT_VERSION } from '../../scripts/python-client.ts'
import { startTestServer } from '../server/client.ts'
import { noteFigure } from './figures.ts'

const crd = join(import.meta.dirname, '../../deploy/crds/batch.tensorstack.dev_genericjobs.yaml')

test('the official Python client: typed, custom and dynamic objects', { timeout: 300_000 }, async () => {
  const python = process.env.TRAINYARD_PYTHON
  if (!python) throw new Error('this suite needs a Python with the kubernetes package; run it by: npm run test:api')
  const server = await startTestServer()
  const child = spawn(python, [join(import.meta.dirname, 'client.py'), server.server.kubeconfigPath, crd], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: unknown[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const [code] = await once(child, 'close')
  expect(lines).toEqual([
    ['version', '1'],
    ['pod', 'Pending', 'ClusterFirst', { cpu: '500m' }],
    ['error', 409, 'AlreadyExists'],
    ['error', 404, 'NotFound'],
    ['error', 400, 'BadRequest'],
    [
      'pages',
      [
        ['m', 'page-0'],
        ['page-1', 'page-2'],
        ['page-3', 'page-4'],
      ],
    ],
    ['field', ['m']],
    ['strategic', 'y'],
    ['json', { a: '2' }],
    ['merge', { b: '3' }],
    ['replace', { b: '4' }],
    ['error', 409, 'Conflict'],
    [
      'watch',
      [
        ['MODIFIED', 'm'],
        ['ADDED', 'late'],
        ['DELETED', 'late'],
      ],
    ],
    ['events', ['Tested']],
    ['established', ['Established', 'NamesAccepted']],
    ['custom', 1],
    ['custom list', ['job']],
    ['custom status', 'Running'],
    ['error', 422, 'Invalid'],
    ['conflict', '.data.k'],
    ['forced', '2', ['two']],
    ['dynamic', ['job']],
    [
      'dynamic watch',
      [
        ['ADDED', 'job'],
        ['DELETED', 'job'],
      ],
    ],
    ['namespace', 'Active'],
    ['deleted', 'p'],
    ['collection', 'ConfigMapList', ['applied']],
  ])
  expect(code).toBe(0)
  noteFigure(`python ${PYTHON_CLIENT_VERSION}`)
})
