// Job behaviour on a genuine apiserver: the operator at work, the kubelet played by a driver.
import { afterAll } from 'vitest'
import { conformance } from '../../conformance/conformance.ts'
import { type OperatorAtWork, putOperatorToWork } from '../../operator/operator-at-work.ts'
import { realCluster } from '../../real-cluster.ts'

let home: OperatorAtWork | undefined
afterAll(() => home?.stop())

conformance('kube-apiserver', async () => {
  home = await putOperatorToWork(realCluster().kubeconfig)
  return home
})
