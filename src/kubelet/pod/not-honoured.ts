// What of a pod cannot be done on this machine, in words. Pure.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { PodEvent } from '../interfaces.ts'
import { readMarks } from '../peers/marks.ts'
import { findNamesByHand } from '../peers/rewrite.ts'

export function describeNotHonoured(pod: Pod, canMount: () => boolean, userId: number | undefined): PodEvent[] {
  const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]
  const notes: PodEvent[] = []
  const note = (reason: string, message: string, type: PodEvent['type'] = 'Normal') =>
    notes.push({ type, reason, message })

  const images = [...new Set(containers.map(({ image }) => image).filter(Boolean))]
  if (images.length > 0) {
    const which = images.length === 1 ? `image ${images[0]} is` : `images ${images.join(', ')} are`
    note('ImageNotUsed', `commands run as they are on this machine; ${which} not used here`)
  }
  const users = new Set(
    [pod.spec?.securityContext, ...containers.map((each) => each.securityContext)].map((each) => each?.runAsUser),
  )
  const others = [...users].filter((user) => user !== undefined && user !== userId)
  if (others.length > 0)
    note('UserNotChanged', `runAsUser ${others.join(', ')} is not used here; programs run as the user who runs this`)

  const paths = [
    ...new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ mountPath }) => mountPath))),
  ]
  if (paths.length > 0 && !canMount()) notes.push(describeSubstitution(paths))
  const marks = readMarks(pod)
  const names = marks ? findNamesByHand(pod, marks) : []
  if (names.length > 0) {
    const message = `${names.join(', ')} typed by hand is left as it is and does not resolve on this machine`
    note('PeerNotResolved', message, 'Warning')
  }
  return notes
}

export function describeSubstitution(paths: string[]): PodEvent {
  const message = `nothing is mounted here: ${paths.join(', ')} in command, args, env and workingDir stand for directories of this pod`
  return { type: 'Normal', reason: 'PathsSubstituted', message }
}
