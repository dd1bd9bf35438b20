import { expect, test } from 'vitest'
import { findTrespasses } from './borders.ts'

test.each([
  ['src/core/decide.ts', `import { read } from './read.ts'`],
  ['src/core/kinds/tfjob.ts', `import type { Job } from '../../api/types.ts'`],
  ['src/core/decide.ts', `import type { Pod } from '../../gen/kubernetes-types.ts'`],
  ['src/core/decide.ts', `// Date.now() would make it impure\nconst a = new Date(instant)`],
  ['src/rehearse/rehearse.ts', `import { execute } from '../operator/execute.ts'`],
  ['src/cli/plan.ts', `const { plan } = await import('../core/plan.ts')`],
  ['src/kubelet/start.ts', `import { spawn } from 'node:child_process'\nprocess.exit(1)`],
])('%s may: %s', (path, text) => {
  expect(findTrespasses(path, text)).toEqual([])
})

test.each([
  [
    'src/core/decide.ts',
    `import { get } from '../kube/client.ts'`,
    'core may not import kube/client, only api, gen, lib',
  ],
  ['src/core/decide.ts', `import {\n  readFileSync,\n} from 'node:fs'`, 'core is pure and may not import node:fs'],
  ['src/core/decide.ts', `import 'node:fs'`, 'core is pure and may not import node:fs'],
  ['src/core/decide.ts', `const now = Date.now()`, 'core is pure and may not use Date.now'],
  ['src/core/decide.ts', `const now = new Date()`, 'core is pure and may not use new Date()'],
  ['src/core/decide.ts', `if (process.env.DEBUG) return`, 'core is pure and may not use process'],
  ['src/lib/json.ts', `export * from '../api/types.ts'`, 'lib may not import api/types, only nothing of ours'],
  ['src/rehearse/a.ts', `import { run } from '../operator/run.ts'`, 'rehearse may not import operator/run'],
  ['src/server/a.ts', `const x = await import('../operator/run.ts')`, 'server may not import operator/run'],
  ['src/cli/a.ts', `import { x } from '../../scripts/elapsed.ts'`, 'cli may not import scripts/elapsed.ts'],
  ['src/webhook/a.ts', ``, 'src/webhook has no row'],
])('%s may not: %s', (path, text, message) => {
  expect(findTrespasses(path, text).join('\n')).toContain(message)
})

test('says the line', () => {
  const text = `// one\n/**\n * import x from '../kube/x.ts'\n */\nconst a = 1\nimport { x } from '../kube/x.ts'\n`
  expect(findTrespasses('src/core/a.ts', text)).toEqual([
    'src/core/a.ts:6: core may not import kube/x, only api, gen, lib',
  ])
})
