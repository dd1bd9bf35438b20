import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { isNotFound, PODS } from '../../src/kube/index.ts'
import type { PodDriver } from '../conformance/home.ts'
import type { EmbeddedHome } from './embedded-home.ts'
import { until } from './until.ts'

/**
 * Waits, without costing anything, for the code to end with. Who tells it may come first: then there is a file, and in it
 * nothing yet.
 */
const script =
  'code="code.$TRAINYARD_CONTAINER"; mkfifo "$code"; until read status < "$code"; do :; done; exit "$status"'

/** Makes pods live and die as processes of this machine. */
export function processDriver(home: EmbeddedHome): PodDriver {
  const { client } = home
  const see = async (pod: Pod) => {
    const { namespace, name = '', uid } = pod.metadata ?? {}
    const seen = await client.get(PODS, { namespace, name }).catch((error) => {
      if (!isNotFound(error)) throw error
    })
    return seen?.metadata.uid === uid ? seen : undefined
  }
  const reach = (pod: Pod, ...phases: string[]) =>
    until(`pod ${pod.metadata?.name} to be ${phases.join(' or ')}; ${home.errors.join('; ')}`, async () =>
      phases.includes((await see(pod))?.status?.phase ?? 'gone'),
    )
  const tell = async (pod: Pod, code: number) => {
    const work = join(home.kubelet.workerOf(pod.metadata!.uid!)!.directory, 'work')
    await Promise.all(pod.spec!.containers.map(({ name }) => writeFile(join(work, `code.${name}`), `${code}\n`)))
  }
  return {
    container: { image: 'none', command: ['/bin/sh', '-c', script] },
    async start(pod) {
      if (!(await see(pod))?.spec?.nodeName) await home.bind(pod)
      await reach(pod, 'Running')
    },
    async exit(pod, code) {
      await reach(pod, 'Running')
      await tell(pod, code)
      // The operator may have removed it before we look.
      await reach(pod, 'Succeeded', 'Failed', 'gone')
    },
    async lose(pod) {
      const { namespace, name = '', uid } = pod.metadata!
      const lost = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      }
      const body = { metadata: { uid }, status: { conditions: [lost] } }
      await client.patch(PODS, { namespace, name }, { type: 'strategic', body }, { subresource: 'status' })
      await tell(pod, 137)
      await reach(pod, 'Failed', 'gone')
    },
  }
}
