export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** A write, and what its author was told. */
export interface Deed {
  type: EventType
  name: string
  /** Of its own: no two writes have the same. A deletion has that of the object it means. */
  value: number
  /** The server said that it is done; else it died before it answered, and the write may have happened or not. */
  acknowledged: boolean
  /** Where the answer tells it: that of a deletion does not. */
  revision?: number
}

export interface Seen {
  type: EventType
  name: string
  value: number
  revision: number
}

/** A list, and everything told from there on until history was forgotten (410) and a new list had to be taken. */
export interface Stretch {
  revision: number
  items: Seen[]
  events: Seen[]
}

export interface Watched {
  stretches: Stretch[]
  /** Which objects it asked for. */
  wants: (name: string) => boolean
}

export interface History {
  deeds: readonly Deed[]
  watchers: readonly Watched[]
  final: readonly Seen[]
}

const idOf = ({ type, name, value }: Pick<Seen, 'type' | 'name' | 'value'>): string => `${type} ${name}=${value}`
const stateOf = ({ name, value, revision }: Seen): string => `${name}=${value}@${revision}`

/** Everything that must not happen; an empty list means the history is sound. */
export function judgeHistory({ deeds, watchers, final }: History): string[] {
  const wrong: string[] = []
  const told = everythingTold(watchers, wrong)
  const newest = Math.max(0, ...told.keys(), ...final.map(({ revision }) => revision))
  for (const [i, { stretches, wants }] of watchers.entries()) {
    for (const [n, stretch] of stretches.entries()) {
      const isLast = n === stretches.length - 1
      judgeOrder(`watcher ${i}`, stretch, wrong)
      const until = isLast ? newest : (stretch.events.at(-1)?.revision ?? 0)
      judgeCompleteness(
        `watcher ${i}`,
        stretch,
        until,
        [...told.values()].filter(({ name }) => wants(name)),
        wrong,
      )
      if (!isLast) continue
      const state = replay(`watcher ${i}`, stretch, wrong)
      compareStates(
        `watcher ${i}`,
        state,
        final.filter(({ name }) => wants(name)),
        wrong,
      )
    }
  }
  judgeDeeds(deeds, watchers, told, final, wrong)
  return wrong
}

/** What any watcher was told, by revision: two tellings of one revision must agree. */
function everythingTold(watchers: readonly Watched[], wrong: string[]): Map<number, Seen> {
  const told = new Map<number, Seen>()
  for (const { stretches } of watchers) {
    for (const seen of stretches.flatMap(({ events }) => events)) {
      const other = told.get(seen.revision)
      if (other && idOf(other) !== idOf(seen))
        wrong.push(`changed: revision ${seen.revision} was ${idOf(other)} and then ${idOf(seen)}`)
      told.set(seen.revision, seen)
    }
  }
  return told
}

function judgeOrder(who: string, { revision, events }: Stretch, wrong: string[]): void {
  const before = new Set<number>()
  let last = revision
  for (const event of events) {
    if (before.has(event.revision)) wrong.push(`repeated: ${who} was told revision ${event.revision} twice`)
    else if (event.revision <= revision)
      wrong.push(`repeated: ${who} was told revision ${event.revision}, which its list of ${revision} had`)
    else if (event.revision < last) wrong.push(`reordered: ${who} was told ${event.revision} after ${last}`)
    before.add(event.revision)
    last = Math.max(last, event.revision)
  }
}

function judgeCompleteness(who: string, stretch: Stretch, until: number, told: readonly Seen[], wrong: string[]): void {
  const seen = new Set(stretch.events.map(({ revision }) => revision))
  for (const event of told) {
    if (event.revision <= stretch.revision || event.revision > until || seen.has(event.revision)) continue
    wrong.push(`untold: ${who} was never told revision ${event.revision} (${idOf(event)})`)
  }
}

/** The state a client arrives at that believes what it is told. */
function replay(who: string, { items, events }: Stretch, wrong: string[]): Seen[] {
  const state = new Map(items.map((item) => [item.name, item]))
  for (const event of events) {
    const isThere = state.has(event.name)
    if (isThere === (event.type === 'ADDED'))
      wrong.push(`impossible: ${who} was told ${idOf(event)} of what was ${isThere ? 'there' : 'not there'}`)
    if (event.type === 'DELETED') state.delete(event.name)
    else state.set(event.name, event)
  }
  return [...state.values()]
}

function compareStates(who: string, state: readonly Seen[], final: readonly Seen[], wrong: string[]): void {
  const [had, listed] = [new Set(state.map(stateOf)), new Set(final.map(stateOf))]
  for (const one of had) if (!listed.has(one)) wrong.push(`differs: ${who} has ${one}, the list has not`)
  for (const one of listed) if (!had.has(one)) wrong.push(`differs: the list has ${one}, ${who} has not`)
}

function judgeDeeds(
  deeds: readonly Deed[],
  watchers: readonly Watched[],
  told: ReadonlyMap<number, Seen>,
  final: readonly Seen[],
  wrong: string[],
): void {
  const events = new Map([...told.values()].map((event) => [idOf(event), event]))
  const states = watchers.flatMap(({ stretches }) => stretches.flatMap(({ items }) => items))
  for (const [name, ofName] of Map.groupBy(deeds, (deed) => deed.name)) {
    const last = ofName.findLastIndex((deed) => deed.acknowledged)
    for (const deed of ofName) {
      if (!deed.acknowledged) continue
      const event = events.get(idOf(deed))
      const isKnown = event !== undefined || states.some((item) => item.name === name && item.value === deed.value)
      // Who had to take a new list may never have been told what happened before it.
      if (!isKnown && !isForgotten(deed, watchers))
        wrong.push(`lost: ${idOf(deed)} was acknowledged and nobody was told`)
      else if (event && deed.revision !== undefined && event.revision !== deed.revision)
        wrong.push(`changed: ${idOf(deed)} was acknowledged as ${deed.revision} and told as ${event.revision}`)
    }
    if (last < 0) continue
    const kept = final.find((item) => item.name === name)
    // A write after it may have happened although its author was never told.
    const possible = [ofName[last] as Deed, ...ofName.slice(last + 1)]
    const isPossible = kept
      ? possible.some(({ type, value }) => type !== 'DELETED' && value === kept.value)
      : possible.some(({ type }) => type === 'DELETED')
    if (isPossible) continue
    wrong.push(
      `lost: ${idOf(ofName[last] as Deed)} was acknowledged, and in the end ${kept ? stateOf(kept) : 'nothing'} is there`,
    )
  }
}

/** Whether it fell, for each of them, between the last they were told and the new list they had to take. */
function isForgotten({ name, revision }: Deed, watchers: readonly Watched[]): boolean {
  return watchers.every(({ stretches, wants }) => {
    if (!wants(name)) return true
    return stretches.slice(1).some((stretch, n) => {
      const before = stretches[n] as Stretch
      const told = before.events.at(-1)?.revision ?? before.revision
      return revision === undefined || (told < revision && revision <= stretch.revision)
    })
  })
}
