// The operator with exactly the rights it needs, and with fewer.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLUSTER_RULES, JOB_RULES } from '../../../src/cli/cluster/installation/rights.ts'
import {
  type Connection,
  KubeClient,
  type KubeObject,
  loadConnection,
  PODS,
  type Resource,
} from '../../../src/kube/index.ts'
import { startOperator } from '../../../src/operator/operator.ts'
import { trainingJobs } from '../../conformance/manifests.ts'
import { eventually, Stage } from '../../conformance/stage.ts'
import { installCrds } from '../../operator/operator-at-work.ts'
import { statusDriver } from '../../operator/status-driver.ts'
import { realCluster } from '../../real-cluster.ts'

const rbac = (plural: string, kind: string): Resource<KubeObject & Record<string, unknown>> => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced: false,
})
const ROLES = rbac('clusterroles', 'ClusterRole')
const BINDINGS = rbac('clusterrolebindings', 'ClusterRoleBinding')

const [nodes, ...NO_NODES] = CLUSTER_RULES
const NEEDED = [...JOB_RULES, ...NO_NODES]

let admin: KubeClient
let connection: Connection
beforeAll(async () => {
  connection = await loadConnection({ kubeconfig: realCluster().kubeconfig })
  admin = new KubeClient(connection)
  await installCrds(admin)
})
afterAll(() => admin.close())

test.each([
  ['what it needs', [...NEEDED, nodes!], []],
  ['no sight of nodes', NEEDED, ['GET /api/v1/nodes']],
])('with %s it brings jobs of every kind to their end', async (_, rules, forbidden) => {
  const name = `operator-${randomBytes(3).toString('hex')}`
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  await admin.create(ROLES, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }]
  await admin.create(BINDINGS, { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects })
  const stage = await Stage.open({ kubeconfig: realCluster().kubeconfig, driver: statusDriver(admin) })
  const refused = new Set<string>()
  // In a namespace that somebody else is deleting everything is refused to everybody.
  const isOurs = (path: string) => !path.includes('/namespaces/') || path.includes(`/namespaces/${stage.namespace}/`)
  const client = new KubeClient(
    { ...connection, headers: { 'Impersonate-User': name } },
    { onAnswer: (method, path, code) => code === 403 && isOurs(path) && refused.add(`${method} ${path}`) },
  )
  await grantsTakeEffect(client)
  refused.clear()
  // Named, because others try out the groups of other schedulers on this apiserver meanwhile.
  const operator = startOperator({ client, gangScheduler: 't9k' })
  await operator.ready
  const jobs = trainingJobs(stage)
  const tensorboardSpec = { trainingLogFilesets: ['t9k://pvc/runs/logs'] }
  const played = [
    {
      job: await jobs.tensorflow({ worker: 1 }, { runPolicy: { cleanUpPolicy: 'All' }, tensorboardSpec }),
      decides: 'worker-0',
    },
    { job: await jobs.pytorch({ master: 1 }, {}, () => ({ restartPolicy: 'OnFailure' })), decides: 'master-0' },
    { job: await jobs.generic({ worker: 1 }, { service: { ports: [{ name: 'p', port: 80 }] } }), decides: 'worker-0' },
    { job: await jobs.tfjob({ Worker: 1 }, { ttlSecondsAfterFinished: 60 }), decides: 'worker-0' },
  ]
  for (const { job, decides } of played) {
    await job.run(decides, 0)
    await job.reaches('Succeeded')
  }
  await operator.stop()
  expect([...refused]).toEqual(forbidden)
  await stage.close()
  await client.close()
  await admin.delete(BINDINGS, { name })
  await admin.delete(ROLES, { name })
})

/** The API server learns of roles and bindings as every other client does, a moment later. */
function grantsTakeEffect(client: KubeClient): Promise<unknown> {
  return eventually('the rights take effect', () => client.list(PODS, { limit: 1 }))
}
