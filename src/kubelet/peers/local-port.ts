import type { Pod } from '../../../gen/kubernetes-types.ts'
import { jobOf } from '../home-directory.ts'
import { peerOf, readMarks } from './marks.ts'
import type { PortBook } from './port-book.ts'

/** The loopback port on which a port of the pod is to be found: for probes and port-forward. */
export function findLocalPort(pod: Pod, ports: PortBook, port: number): number {
  const marks = readMarks(pod)
  const peer = marks && peerOf(pod, marks)
  return (peer && ports.portOf(jobOf(pod), peer, port)) || port
}
