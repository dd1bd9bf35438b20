import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { type KubeClient, PODS } from '../../src/kube/index.ts'
import type { PodDriver } from '../conformance/home.ts'
import { eventually } from '../conformance/stage.ts'

/** Waits at a pipe named after its pod until it is told how to end. Also put in the place of torchrun. */
const OBEDIENT = `#!/bin/sh
mkfifo "$DRIVEN_IN/$DRIVEN_POD"
read code < "$DRIVEN_IN/$DRIVEN_POD"
exit "$code"
`

/** Drives pods that are real processes: they start by themselves and end when told. */
export function processDriver(client: KubeClient, folder: string): PodDriver {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const name of ['obedient', 'torchrun']) writeFileSync(join(bin, name), OBEDIENT, { mode: 0o755 })
  const isRunning = async ({ metadata }: Pod) => {
    const at = { namespace: metadata?.namespace, name: metadata?.name ?? '' }
    const pod = await client.get(PODS, at)
    if (pod.status?.phase !== 'Running') throw new Error(`it is ${pod.status?.phase}`)
  }
  return {
    container: {
      image: 'none',
      command: [join(bin, 'obedient')],
      env: [
        { name: 'PATH', value: `${bin}:${process.env.PATH}` },
        { name: 'DRIVEN_IN', value: folder },
        { name: 'DRIVEN_POD', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } },
      ],
    },
    async start(pod) {
      await eventually(`pod ${pod.metadata?.name} runs`, () => isRunning(pod))
    },
    async exit(pod, code) {
      const pipe = join(folder, pod.metadata?.uid ?? '')
      await eventually(`pod ${pod.metadata?.name} listens`, async () => {
        if (!existsSync(pipe)) throw new Error('there is no pipe')
      })
      const file = await open(pipe, 'w')
      await file.write(`${code}\n`)
      await file.close()
    },
    async lose({ metadata }) {
      const { namespace, name } = metadata!
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } }
      await client.raw({ method: 'POST', path, body })
    },
  }
}
