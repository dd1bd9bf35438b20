import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { parse } from 'yaml'
import type { CustomResourceDefinition } from '../../gen/kubernetes-types.ts'
import { CRDS, KubeClient, type KubeObject, loadConnection } from '../../src/kube/index.ts'
import { startOperator } from '../../src/operator/operator.ts'
import type { Home } from '../conformance/home.ts'
import { statusDriver } from './status-driver.ts'

const CRD_FOLDER = join(import.meta.dirname, '../../deploy/crds')

export interface OperatorAtWork extends Home {
  /** What went wrong behind the scenes and was tried again. */
  errors: string[]
  stop(): Promise<void>
}

export async function installCrds(client: KubeClient): Promise<void> {
  const defined: CustomResourceDefinition[] = []
  for (const file of readdirSync(CRD_FOLDER)) {
    const body = parse(readFileSync(join(CRD_FOLDER, file), 'utf8')) as CustomResourceDefinition & KubeObject
    const at = { name: body.metadata.name! }
    await client.patch(CRDS, at, { type: 'apply', body }, { fieldManager: 'test', force: true })
    defined.push(body)
  }
  // A definition is accepted before its kind is served.
  for (const { spec } of defined) {
    for (const { name: version } of spec.versions) {
      const { plural, kind } = spec.names
      const resource = { group: spec.group, version, plural, kind, namespaced: true }
      // A machine with nothing to spare was seen to need more than half a minute.
      await vi.waitFor(() => client.list(resource, { limit: 1 }), { timeout: 240_000, interval: 30 })
    }
  }
}

/** Our kinds and our operator on some API, with the kubelet played by a driver. */
export async function putOperatorToWork(kubeconfig: string): Promise<OperatorAtWork> {
  const client = new KubeClient(await loadConnection({ kubeconfig }))
  await installCrds(client)
  const errors: string[] = []
  const operator = startOperator({ client, onError: (where, error) => errors.push(`${where}: ${error}`) })
  await operator.ready
  return {
    kubeconfig,
    driver: statusDriver(client),
    errors,
    async stop() {
      await operator.stop()
      await client.close()
    },
  }
}
