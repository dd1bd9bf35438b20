import type { Pod } from '../../gen/kubernetes-types.ts'
import { type KubeClient, PODS } from '../../src/kube/index.ts'
import type { PodDriver } from '../conformance/home.ts'

/** Plays the kubelet where there is none: says of a pod what its kubelet would. */
export function statusDriver(client: KubeClient): PodDriver {
  const write = async (pod: Pod, status: object): Promise<void> => {
    const { namespace, name = '', uid } = pod.metadata ?? {}
    const body = { metadata: { uid }, status }
    await client.patch(PODS, { namespace, name }, { type: 'merge', body }, { subresource: 'status' })
  }
  const containersOf = (pod: Pod, state: object) =>
    pod.spec?.containers.map(({ name, image }) => ({ name, image, imageID: '', ready: false, restartCount: 0, state }))
  const now = () => new Date().toISOString().replace(/\.\d+Z/, 'Z')
  return {
    container: { image: 'none', command: ['train'] },
    start: (pod) =>
      write(pod, {
        phase: 'Running',
        startTime: now(),
        containerStatuses: containersOf(pod, { running: { startedAt: now() } }),
      }),
    exit: (pod, exitCode) => {
      const terminated = {
        exitCode,
        reason: exitCode === 0 ? 'Completed' : 'Error',
        startedAt: now(),
        finishedAt: now(),
      }
      return write(pod, {
        phase: exitCode === 0 ? 'Succeeded' : 'Failed',
        containerStatuses: containersOf(pod, { terminated }),
      })
    },
    lose: (pod) => {
      const evicted = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        lastTransitionTime: now(),
      }
      return write(pod, { phase: 'Failed', reason: 'Evicted', message: 'evicted for a test', conditions: [evicted] })
    },
  }
}
