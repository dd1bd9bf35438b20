// The home knows its kinds from the first start on, and learns what a newer version changed about them.
import { createHash } from 'node:crypto'
import { buildCrd, type Crd } from '../../api/build-crd.ts'
import { kinds } from '../../api/kinds.ts'
import { CRDS, type KubeClient } from '../../kube/index.ts'

const HASH = 'trainyard.dev/crd-hash'

export async function installCrds(client: KubeClient): Promise<void> {
  const { items } = await client.list(CRDS)
  const known = new Map(items.map((crd) => [crd.metadata.name, crd]))
  await Promise.all(kinds.map((kind) => install(client, buildCrd(kind), known)))
}

async function install(client: KubeClient, crd: Crd, known: ReadonlyMap<string | undefined, Crd>): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(crd)).digest('hex').slice(0, 16)
  const there = known.get(crd.metadata.name)
  if (there?.metadata.annotations?.[HASH] === hash) return
  const metadata = { ...crd.metadata, annotations: { [HASH]: hash } }
  if (!there) await client.create(CRDS, { ...crd, metadata })
  else await client.update(CRDS, { ...there, spec: crd.spec, metadata: { ...there.metadata, ...metadata } })
}
