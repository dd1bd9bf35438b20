// `$(…)` in a GenericJob's command, args and environment. What is not ours is left for Kubernetes.

export type Reference =
  | { name: 'type' }
  | { name: 'rank' }
  | { name: 'replicas'; type: string }
  | { name: 'host'; type: string; index: number }
  | { name: 'port'; port: string }

/** The text in pieces: plain text as it is, references parsed. `$$(` is Kubernetes' escape and stays plain. */
export function parseReferences(text: string): Array<string | (Reference & { text: string })> {
  const pieces: Array<string | (Reference & { text: string })> = []
  let plain = ''
  let at = 0
  while (at < text.length) {
    if (text.startsWith('$$', at)) {
      plain += '$$'
      at += 2
      continue
    }
    const match = text.startsWith('$(', at) ? /^\$\(([^()]*)\)/.exec(text.slice(at, at + 300)) : null
    const reference = match && parseReference(match[1]!)
    if (match && reference) {
      if (plain) pieces.push(plain)
      plain = ''
      pieces.push({ ...reference, text: match[0] })
      at += match[0].length
    } else {
      plain += text[at]
      at++
    }
  }
  if (plain) pieces.push(plain)
  return pieces
}

function parseReference(inner: string): Reference | undefined {
  if (inner === 'type') return { name: 'type' }
  if (inner === 'rank') return { name: 'rank' }
  const replicas = /^replicas\[([^\]]+)\]$/.exec(inner)
  if (replicas) return { name: 'replicas', type: replicas[1]! }
  const host = /^service\.([^[\]]+)\[(\d{1,9})\]\.host$/.exec(inner)
  if (host) return { name: 'host', type: host[1]!, index: Number(host[2]) }
  const port = /^service\.port\[([^\]]+)\]$/.exec(inner)
  if (port) return { name: 'port', port: port[1]! }
  return undefined
}
