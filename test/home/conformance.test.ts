// Job behaviour on one machine: the whole home, with real processes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { KubeClient, loadConnection, PODS } from '../../src/kube/index.ts'
import { type Home, startHome } from '../../src/main/home/home.ts'
import { conformance } from '../conformance/conformance.ts'
import { eventually } from '../conformance/stage.ts'
import { processDriver } from './process-driver.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-home-'))
let home: Home | undefined
let client: KubeClient | undefined
afterAll(async () => {
  // The suite has deleted its namespace; processes would outlive a home that is stopped before they are.
  const left = async () => (await client?.list(PODS))?.items.length ?? 0
  await eventually('every process is gone', async () => expect(await left()).toBe(0))
  await client?.close()
  await home?.stop()
  rmSync(dir, { recursive: true, force: true })
})

conformance('the embedded home', async () => {
  home = await startHome({ dir: join(dir, 'home'), log: () => {} })
  client = new KubeClient(await loadConnection({ kubeconfig: home.kubeconfigPath }))
  return { kubeconfig: home.kubeconfigPath, driver: processDriver(client, dir) }
})
