// What src/api says of pod templates, held against a real kube-apiserver that is asked for such pods.
import { beforeAll, expect, test } from 'vitest'
import { podRows } from '../../verdicts/pod-rows.ts'
import { createNamespace } from './install.ts'
import { request } from './request.ts'

const NAMESPACE = 'pod-verdicts'

beforeAll(async () => {
  await createNamespace(NAMESPACE)
  // Nobody else makes the account that every pod needs: there are no controllers.
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  await request('POST', `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, account)
}, 120_000)

test.each(podRows)('$name: refused $refused', async ({ template: { metadata, spec }, refused }) => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name: 'p' },
    // As the engine makes them.
    spec: { ...spec, restartPolicy: 'Never' },
  }
  const path = `/api/v1/namespaces/${NAMESPACE}/pods?dryRun=All&fieldValidation=Ignore`
  const { code, body } = await request('POST', path, pod)
  expect([code, body.message]).toEqual(refused ? [422, expect.stringContaining('is invalid')] : [201, undefined])
})
