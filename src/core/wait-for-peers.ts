// Annotation trainyard.dev/wait-for-peers: an init container that waits until the peers' names can be resolved.
import type { PodSpec } from '../../gen/kubernetes-types.ts'
import type { PeerMarks, PeerSpan } from '../api/peers.ts'
import type { JobModel } from './job-model.ts'
import { isMaster } from './labels.ts'
import type { Place } from './slots.ts'

const CONTAINER = 'wait-for-peers'
/** From the pod's own image, so nothing that an image with a shell may lack: getent, else whatever ping can do. */
const SCRIPT =
  'for host in "$@"; do until getent hosts "$host" >/dev/null 2>&1 || ping -c 1 -W 1 "$host" >/dev/null 2>&1; do ' +
  'echo "waiting for $host"; sleep 1; done; done'
const FIXED = ['-c', SCRIPT, CONTAINER]
/** Those who wait for many are served by waiting for some: all names appear with the same Service. */
const MOST = 64

export function addWaitForPeers(
  model: JobModel,
  spec: PodSpec,
  place: Place,
  marks: PeerMarks | undefined,
): [PodSpec, PeerMarks | undefined] {
  const awaited = peersToAwait(model, place, marks)
  if (!marks || awaited.length === 0) return [spec, marks]
  const training = spec.containers[place.role.trainingContainer]
  const init = {
    name: CONTAINER,
    image: training?.image,
    ...(training?.imagePullPolicy && { imagePullPolicy: training.imagePullPolicy }),
    ...(training?.securityContext && { securityContext: training.securityContext }),
    command: ['sh'],
    args: [...FIXED, ...awaited.map(({ host }) => host)],
  }
  const places = awaited.map(({ host, peer }, i) => {
    const span: PeerSpan = { from: 0, to: host.length, peer, part: 'host' }
    return { container: CONTAINER, args: FIXED.length + i, spans: [span] }
  })
  return [
    { ...spec, initContainers: [init, ...(spec.initContainers ?? [])] },
    { ...marks, places: [...marks.places, ...places] },
  ]
}

/** PyTorch's replicas need their master; the others each other. */
function peersToAwait(
  model: JobModel,
  place: Place,
  marks: PeerMarks | undefined,
): Array<{ host: string; peer: string }> {
  if (model.environment.framework === 'pytorch' && isMaster(model, place)) return []
  const all = Object.entries(marks?.peers ?? {}).flatMap(([type, { replicas, host }]) =>
    Array.from({ length: Math.min(replicas, MOST) }, (_, i) => ({
      peer: `${type}-${i}`,
      host: host.replace('{i}', String(i)),
    })),
  )
  const master = model.master && `${model.master.type}-${model.master.index}`
  if (model.environment.framework === 'pytorch') return all.filter(({ peer }) => peer === master)
  return all.filter(({ peer }) => peer !== place.key).slice(0, MOST)
}
