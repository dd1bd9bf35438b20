// Which places of a pod carry addresses of its peers. The same annotation stands on pods in both homes; only the
// process runtime reads it, and rewrites exactly the marked places.

export const PEERS_ANNOTATION = 'trainyard.dev/peers'

export interface PeerMarks {
  /** How peers are called in the marked texts: `{i}` in `host` is the index. */
  peers: Record<string, { replicas: number; host: string; ports: number[] }>
  places: MarkedPlace[]
}

/** One text of one container: an environment variable, or an element of command or args by its index. */
export interface MarkedPlace {
  container: string
  env?: string
  command?: number
  args?: number
  /** Every `<host>:<port>` of a known peer in the text. */
  addresses?: 'all'
  /** Or just these. */
  spans?: PeerSpan[]
}

export interface PeerSpan {
  /** Offsets in the text as it stands in the pod. */
  from: number
  to: number
  /** `worker-0`. */
  peer: string
  /** Absent where only the host is named. */
  port?: number
  part: 'host' | 'port' | 'hostport'
}

/** A text that is one peer's address as a whole. */
export function wholeSpan(text: string, peer: string, port: number | undefined, part: PeerSpan['part']): PeerSpan[] {
  return [{ from: 0, to: text.length, peer, ...(port !== undefined && { port }), part }]
}
