// The home knows its kinds from the first start on, and learns what a newer version changed about them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CustomResourceDefinition } from '../../../gen/kubernetes-types.ts'
import { CRDS, type KubeClient, type KubeObject } from '../../kube/index.ts'
import { packageRoot } from '../package-root.ts'

const HASH = 'trainyard.dev/crd-hash'

type Crd = CustomResourceDefinition & KubeObject

export async function installCrds(client: KubeClient): Promise<void> {
  const folder = join(packageRoot(), 'deploy', 'crds')
  const { items } = await client.list(CRDS)
  const known = new Map(items.map((crd) => [crd.metadata.name, crd.metadata.annotations?.[HASH]]))
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    const text = readFileSync(join(folder, file), 'utf8')
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
    const name = crdName(file)
    if (known.get(name) === hash) continue
    // Reading YAML costs more than all the rest of a start, so it is done only when something is new.
    const { parse } = await import('yaml')
    const crd = parse(text) as Crd
    crd.metadata.annotations = { ...crd.metadata.annotations, [HASH]: hash }
    await client.patch(CRDS, { name }, { type: 'apply', body: crd }, { fieldManager: 'trainyard', force: true })
  }
}

/** `batch.tensorstack.dev_genericjobs.yaml` holds genericjobs.batch.tensorstack.dev. */
function crdName(file: string): string {
  const [group, plural] = file.replace(/\.yaml$/, '').split('_')
  return `${plural}.${group}`
}
