import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { buildImageFolder, entrypointOf } from '../../scripts/build-image.ts'
import { awaitHealth } from '../../scripts/real/await-health.ts'
import type { KubeObject } from '../../src/kube/index.ts'
import { type Arena, define } from './arena.ts'
import { type Contender, makeScratch, startContestant } from './contender.ts'
import { PYTORCH, TFJOB } from './workload.ts'

const deploy = join(import.meta.dirname, '../../deploy')

export async function defineOurKinds(arena: Arena): Promise<void> {
  const folder = join(deploy, 'crds')
  await define(
    arena,
    readdirSync(folder).map((file) => join(folder, file)),
  )
}

/** The operator as its image holds it, with the rights of its ClusterRole and no others. */
export async function prepareOurs(): Promise<Contender> {
  const folder = makeScratch('image')
  await buildImageFolder(folder)
  return {
    name: 'trainyard',
    programs: [],
    workloads: [PYTORCH, TFJOB],
    install: async (arena) => {
      await defineOurKinds(arena)
      const documents = parseAllDocuments(readFileSync(join(deploy, 'trainyard.yaml'), 'utf8'))
      const role = documents.map((each) => each.toJS() as KubeObject).find(({ kind }) => kind === 'ClusterRole')
      await arena.kubectl(['apply', '-f', '-'], JSON.stringify(role))
      await arena.grant(role?.metadata.name ?? '')
    },
    start: async (arena) => {
      const { operator, ports } = arena
      const [program = '', ...entry] = entrypointOf(folder)
      const flags = ['--kubeconfig', operator.kubeconfig, '--leader-elect=false']
      const address = `127.0.0.1:${ports.health}`
      const args = [...entry, 'operator', ...flags, '--metrics-address', address]
      const record = startContestant(arena, program, args)
      await awaitHealth(record, `http://${address}/readyz`, operator)
      return record
    },
    isDone: async ({ ports }) => {
      const page = await (await fetch(`http://127.0.0.1:${ports.health}/metrics`)).text()
      const heldBack = [...page.matchAll(/^trainyard_held_back{.*} (\d+)$/gm)].map(([, count]) => Number(count))
      if (heldBack.length === 0) throw new Error('the operator does not tell what it holds back')
      return heldBack.every((count) => count === 0)
    },
  }
}
