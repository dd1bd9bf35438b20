// Job behaviour on one machine, with real processes for pods.
import { afterAll } from 'vitest'
import { type Operator, startOperator } from '../../src/operator/operator.ts'
import { conformance } from '../conformance/conformance.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import { EmbeddedHome } from './embedded-home.ts'
import { processDriver } from './process-driver.ts'

let home: EmbeddedHome | undefined
let operator: Operator | undefined
afterAll(async () => {
  await home?.emptied()
  await operator?.stop()
  await home?.stop()
})

conformance('the kubelet of the embedded home', async () => {
  home = await EmbeddedHome.start(false)
  await installCrds(home.client)
  operator = startOperator({ client: home.client, onError: home.onError })
  await operator.ready
  return { kubeconfig: home.server.kubeconfigPath, driver: processDriver(home) }
})
