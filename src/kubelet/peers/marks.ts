// The engine's annotation that says which places of a pod carry peers' addresses.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { type MarkedPlace, PEERS_ANNOTATION, type PeerMarks } from '../../api/peers.ts'
import { isObject } from '../../lib/json.ts'

export interface PeerPort {
  /** `worker-0`. */
  peer: string
  port: number
}

/** Undefined where there is none; an annotation someone broke by hand marks nothing. */
export function readMarks(pod: Pod): PeerMarks | undefined {
  const text = pod.metadata?.annotations?.[PEERS_ANNOTATION]
  if (text === undefined) return undefined
  try {
    const marks: unknown = JSON.parse(text)
    if (!isObject(marks) || !isObject(marks.peers) || !Array.isArray(marks.places)) return undefined
    const peers = Object.entries(marks.peers).filter(([, peer]) => isPeer(peer)) as Array<
      [string, PeerMarks['peers'][string]]
    >
    return { peers: Object.fromEntries(peers), places: marks.places.filter(isObject) as unknown as MarkedPlace[] }
  } catch {
    return undefined
  }
}

function isPeer(peer: unknown): boolean {
  return isObject(peer) && typeof peer.host === 'string' && Number.isInteger(peer.replicas) && Array.isArray(peer.ports)
}

/** Every port of every peer that the marks name. */
export function portsIn({ peers, places }: PeerMarks): PeerPort[] {
  const found = new Map<string, PeerPort>()
  const add = (peer: string, port: number) => found.set(`${peer}:${port}`, { peer, port })
  for (const [type, { replicas, ports }] of Object.entries(peers)) {
    for (let i = 0; i < replicas; i++) for (const port of ports) add(`${type}-${i}`, port)
  }
  for (const { spans = [] } of places) for (const { peer, port } of spans) if (port !== undefined) add(peer, port)
  return [...found.values()]
}

/** Which peer this pod is: hosts are called after their pods' hostnames. */
export function peerOf(pod: Pod, { peers }: PeerMarks): string | undefined {
  const name = pod.spec?.hostname ?? pod.metadata?.name
  for (const [type, { replicas, host }] of Object.entries(peers)) {
    for (let i = 0; i < replicas; i++) if (host.replace('{i}', String(i)).split('.')[0] === name) return `${type}-${i}`
  }
  return undefined
}
