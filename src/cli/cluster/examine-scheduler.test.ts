import { expect, test } from 'vitest'
import { ApiError, type KubeClient } from '../../kube/index.ts'
import { examineScheduler } from './examine-scheduler.ts'

const missing = () => Promise.reject(new ApiError({ code: 404, reason: 'NotFound', message: 'no' }))
const operator = {
  metadata: { namespace: 'ops', name: 'trainyard-operator' },
  spec: { template: { spec: { serviceAccountName: 'sa' } } },
}

/** A cluster that serves these groups, and whose operator may do this. */
function examine(groups: string[], allowed: boolean): Promise<{ status: string; message: string }> {
  const client = {
    get: missing,
    list: async () => ({ items: [operator] }),
    raw: ({ path, body }: { path: string; body?: { spec: { user: string } } }) => {
      if (body?.spec.user === 'system:serviceaccount:ops:sa') return Promise.resolve({ status: { allowed } })
      return groups.includes(path.replace('/apis/', '')) ? Promise.resolve({}) : missing()
    },
  }
  return examineScheduler({ client: client as unknown as KubeClient, namespace: 'ml' })
}

test('each scheduler that the operator finds', async () => {
  expect(await examine([], true)).toMatchObject({ status: 'remark', message: expect.stringContaining('no gang') })
  const kueue = { status: 'fine', message: 'Kueue is there: gangs are placed all at once' }
  expect(await examine(['kueue.x-k8s.io'], false)).toMatchObject(kueue)
  const volcano = { status: 'fine', message: 'Volcano is there: gangs are placed all at once' }
  expect(await examine(['scheduling.volcano.sh', 'kueue.x-k8s.io'], true)).toMatchObject(volcano)
})

test('one whose groups the operator may not make is as good as none', async () => {
  expect(await examine(['scheduling.x-k8s.io'], false)).toMatchObject({
    status: 'remark',
    message: 'coscheduling is there, but the operator may not make its groups: each pod is placed by itself',
    fix: 'install it by Helm with --set gangScheduler=coscheduling',
  })
})
