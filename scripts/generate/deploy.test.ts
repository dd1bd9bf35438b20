import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildDeploy } from './deploy.ts'

test('whoever may edit the jobs of a namespace may also scale them', () => {
  const kinds = parse(buildDeploy().get('deploy/charts/trainyard/files/user-kinds.yaml')!) as Record<string, string[]>
  expect(kinds['batch.tensorstack.dev']).toContain('pytorchtrainingjobs/scale')
  expect(Object.values(kinds).flat()).toHaveLength(7 + 1)
})
