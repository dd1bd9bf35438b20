import type { Container, Pod } from '../../../gen/kubernetes-types.ts'
import type { MarkedPlace, PeerMarks } from '../../api/peers.ts'
import { escapePattern } from '../escape-pattern.ts'

export const loopback = '127.0.0.1'

/** The loopback port that stands for a peer's port, if it has one. */
export type PortOf = (peer: string, port: number) => number | undefined

/** The text of a marked place with this machine's addresses in it. */
export function rewriteMarked(text: string, place: MarkedPlace, { peers }: PeerMarks, portOf: PortOf): string {
  if (place.addresses === 'all') return rewriteAddresses(text, peers, portOf)
  let result = text
  // From the end, so that the offsets of those before stay true.
  for (const { from, to, peer, port, part } of [...(place.spans ?? [])].sort((a, b) => b.from - a.from)) {
    if (from < 0 || to > text.length || from > to) continue
    const local = port === undefined ? undefined : portOf(peer, port)
    if (part !== 'host' && local === undefined) continue
    const address = part === 'host' ? loopback : part === 'port' ? String(local) : `${loopback}:${local}`
    result = result.slice(0, from) + address + result.slice(to)
  }
  return result
}

function rewriteAddresses(text: string, peers: PeerMarks['peers'], portOf: PortOf): string {
  let result = text
  for (const [type, { host }] of Object.entries(peers)) {
    const pattern = new RegExp(`(?<![\\w.-])${hostPattern(host)}:(\\d+)(?!\\d)`, 'g')
    result = result.replace(pattern, (address, index: string, port: string) => {
      const local = portOf(`${type}-${index}`, Number(port))
      return local === undefined ? address : `${loopback}:${local}`
    })
  }
  return result
}

function hostPattern(host: string): string {
  return host.split('{i}').map(escapePattern).join('(\\d+)')
}

export function placeOf(
  marks: PeerMarks | undefined,
  container: string,
  where: Pick<MarkedPlace, 'env' | 'command' | 'args'>,
) {
  const [key, value] = Object.entries(where)[0] ?? []
  return marks?.places.find((place) => place.container === container && place[key as 'env'] === value)
}

/** Names of peers in places nobody marked: typed by hand, and unknown to this machine. */
export function findNamesByHand(pod: Pod, marks: PeerMarks): string[] {
  const hosts = Object.values(marks.peers).map(({ host }) => hostPattern(host.split('.')[0]!))
  if (hosts.length === 0) return []
  const pattern = new RegExp(`(?<![\\w.-])(?:${hosts.join('|')})(?![\\w-])`, 'g')
  const names = new Set<string>()
  const look = (text: string | undefined) => {
    for (const [name] of text?.matchAll(pattern) ?? []) names.add(name)
  }
  for (const container of [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]) {
    for (const text of unmarkedTexts(container, marks)) look(text)
  }
  return [...names]
}

function* unmarkedTexts(container: Container, marks: PeerMarks): Generator<string | undefined> {
  for (const { name, value } of container.env ?? []) if (!placeOf(marks, container.name, { env: name })) yield value
  for (const [i, text] of (container.command ?? []).entries())
    if (!placeOf(marks, container.name, { command: i })) yield text
  for (const [i, text] of (container.args ?? []).entries()) if (!placeOf(marks, container.name, { args: i })) yield text
}
