import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { build } from 'esbuild'
import { isAlive, lastLines } from '../../scripts/real/processes.ts'
import { NAMESPACE } from './arena.ts'
import { type Contender, makeScratch, startContestant } from './contender.ts'
import { defineOurKinds } from './ours.ts'
import { writePlans } from './planned-objects.ts'
import { PYTORCH, TFJOB } from './workload.ts'

/**
 * The limit, on the same Node as our operator and without what stripping types would cost it. Its own objects are the
 * least a job needs; `same` are those that our operator sends, so that the writes alone are compared.
 */
export async function prepareBare(objects: 'own' | 'same'): Promise<Contender> {
  const folder = makeScratch('bare')
  const program = join(folder, 'bare-client.mjs')
  const plans = objects === 'same' ? [writePlans(folder, [PYTORCH, TFJOB])] : []
  const source = join(import.meta.dirname, 'bare-client.ts')
  await build({ entryPoints: [source], outfile: program, format: 'esm', target: 'node24', logLevel: 'warning' })
  return {
    name: objects === 'same' ? 'bare, same objects' : 'bare client',
    programs: [],
    workloads: [PYTORCH, TFJOB],
    install: async (arena) => {
      await defineOurKinds(arena)
      await arena.grant('cluster-admin')
    },
    start: async (arena) => {
      const { plane, operator } = arena
      const args = [
        program,
        plane.url,
        join(plane.dir, 'pki', 'ca.crt'),
        operator.certFile,
        operator.keyFile,
        NAMESPACE,
        ...plans,
      ]
      const record = startContestant(arena, process.execPath, args)
      while (lastLines(record, 1) !== 'ready') {
        if (!isAlive(record)) throw new Error(`the bare client has ended:\n${lastLines(record, 20)}`)
        await delay(50)
      }
      return record
    },
  }
}
