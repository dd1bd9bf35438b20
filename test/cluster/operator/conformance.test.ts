// Job behaviour on a genuine apiserver: the operator at work, the kubelet played by a driver.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { parse } from 'yaml'
import { CRDS, KubeClient, type KubeObject, loadConnection } from '../../../src/kube/index.ts'
import { type Operator, startOperator } from '../../../src/operator/operator.ts'
import { conformance } from '../../conformance/conformance.ts'
import { realCluster } from '../../real-cluster.ts'
import { statusDriver } from './status-driver.ts'

let client: KubeClient
let operator: Operator | undefined
const errors: string[] = []

afterAll(async () => {
  await operator?.stop()
  await client?.close()
})

conformance(async () => {
  const { kubeconfig } = realCluster()
  client = new KubeClient(await loadConnection({ kubeconfig }))
  const folder = 'deploy/crds'
  for (const file of readdirSync(folder)) {
    const body = parse(readFileSync(`${folder}/${file}`, 'utf8')) as KubeObject
    const at = { name: body.metadata.name! }
    await client.patch(CRDS, at, { type: 'apply', body }, { fieldManager: 'test', force: true })
  }
  operator = startOperator({ client, onError: (where, error) => errors.push(`${where}: ${error}`) })
  await operator.ready
  return { kubeconfig, driver: statusDriver(client) }
})
