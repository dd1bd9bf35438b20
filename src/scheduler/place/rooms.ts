// What is free on which node, arranged so that the first node with room is found without looking at all of them: a tree
// whose every knot knows the most that is free of each resource below it.
import type { Amounts } from '../facts/amounts.ts'
import type { NodeFacts } from './snapshot.ts'

/** Amounts in the order of the rooms' resources; undefined where something is asked for that no node has. */
export type Wanted = Float64Array | undefined

export class Rooms {
  readonly nodes: readonly NodeFacts[]
  readonly #resources: readonly string[]
  readonly #index: ReadonlyMap<string, number>
  /** Leaves of the tree: a power of two. */
  readonly #width: number
  readonly #most: readonly Float64Array[]
  readonly #wanted = new Map<string, Wanted>()

  constructor(nodes: readonly NodeFacts[]) {
    this.nodes = [...nodes].sort((a, b) => (a.name < b.name ? -1 : 1))
    this.#index = new Map(this.nodes.map((node, i) => [node.name, i]))
    this.#resources = [...new Set(this.nodes.flatMap((node) => [...node.allocatable.keys()]))]
    this.#width = 2 ** Math.ceil(Math.log2(Math.max(1, this.nodes.length)))
    this.#most = this.#resources.map((name) => {
      const most = new Float64Array(2 * this.#width).fill(Number.NEGATIVE_INFINITY)
      for (const [i, node] of this.nodes.entries()) most[this.#width + i] = node.allocatable.get(name) ?? 0
      for (let knot = this.#width - 1; knot > 0; knot--) most[knot] = Math.max(most[2 * knot]!, most[2 * knot + 1]!)
      return most
    })
  }

  indexOf(node: string | undefined): number | undefined {
    return node === undefined ? undefined : this.#index.get(node)
  }

  /** What is free of one resource on one node; less than nothing where more is promised than there is. */
  free(node: number, resource: string): number {
    const r = this.#resources.indexOf(resource)
    return r < 0 ? 0 : this.#most[r]![this.#width + node]!
  }

  /** `shape` stands for the amounts: pods that ask alike are translated once. */
  wantedBy(shape: string, requests: Amounts): Wanted {
    if (!this.#wanted.has(shape)) this.#wanted.set(shape, this.#translate(requests))
    return this.#wanted.get(shape)
  }

  take(node: number, wanted: Wanted): void {
    this.#change(node, wanted, -1)
  }

  give(node: number, wanted: Wanted): void {
    this.#change(node, wanted, 1)
  }

  hasRoom(node: number, wanted: Wanted): boolean {
    return wanted?.every((amount, r) => amount === 0 || amount <= this.#most[r]![this.#width + node]!) ?? false
  }

  /** The first node, by name, that has room and that `accepts` agrees to. */
  find(wanted: Wanted, accepts: (node: NodeFacts) => boolean): number | undefined {
    if (wanted === undefined || this.nodes.length === 0) return undefined
    const descend = (knot: number): number | undefined => {
      for (let r = 0; r < wanted.length; r++) if (wanted[r]! > 0 && this.#most[r]![knot]! < wanted[r]!) return undefined
      if (knot < this.#width) return descend(2 * knot) ?? descend(2 * knot + 1)
      const node = knot - this.#width
      return node < this.nodes.length && accepts(this.nodes[node]!) ? node : undefined
    }
    return descend(1)
  }

  #translate(requests: Amounts): Wanted {
    const wanted = new Float64Array(this.#resources.length)
    for (const [name, amount] of requests) {
      const r = this.#resources.indexOf(name)
      if (r >= 0) wanted[r] = amount
      else if (amount > 0) return undefined
    }
    return wanted
  }

  #change(node: number, wanted: Wanted, sign: number): void {
    if (wanted === undefined) return
    for (let r = 0; r < wanted.length; r++) {
      if (wanted[r] === 0) continue
      const most = this.#most[r]!
      let knot = this.#width + node
      most[knot]! += sign * wanted[r]!
      for (knot >>= 1; knot > 0; knot >>= 1) {
        const now = Math.max(most[2 * knot]!, most[2 * knot + 1]!)
        if (most[knot] === now) break
        most[knot] = now
      }
    }
  }
}
