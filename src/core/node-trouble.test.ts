import { expect, test } from 'vitest'
import { nodeTroubleOf } from './node-trouble.ts'

const nodes = new Map([
  ['well', { ready: true, outOfService: false }],
  ['ill', { ready: false, outOfService: false }],
])
const on = (nodeName?: string) => ({ spec: { nodeName, containers: [] } })

test.each([
  ['a pod without a node', on(), undefined],
  ['a pod on a node that is well', on('well'), undefined],
  ['a pod on a node that is not ready', on('ill'), { reason: 'NodeNotReady', message: 'node ill is not ready' }],
  ['a pod on a node that is gone', on('away'), { reason: 'NodeGone', message: 'node away is gone' }],
  ['no pod', undefined, undefined],
])('%s', (_, pod, trouble) => {
  expect(nodeTroubleOf(pod, nodes)).toEqual(trouble)
})
