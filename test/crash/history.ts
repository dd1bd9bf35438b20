/** What a client was told about a write. */
export interface Deed {
  name: string
  value: number
  /** Undefined when the server died before it answered: the write may have happened or not. */
  revision: number | undefined
}

export interface Seen {
  type: string
  name: string
  value: number
  revision: number
}

/** Everything that must not happen; an empty list means the history is sound. */
export function judgeHistory(
  deeds: readonly Deed[],
  watches: readonly Seen[][],
  final: ReadonlyMap<string, Seen>,
): string[] {
  const wrong: string[] = []
  const acknowledged = deeds.filter((deed) => deed.revision !== undefined)
  for (const [name, ofName] of Map.groupBy(acknowledged, (deed) => deed.name)) {
    const last = ofName.reduce((a, b) => ((b.revision ?? 0) > (a.revision ?? 0) ? b : a))
    const kept = final.get(name)
    // A later write without an answer may have replaced it; an older value may not be there.
    if (!kept) wrong.push(`lost: ${name} was acknowledged at revision ${last.revision} and is not there`)
    else if (kept.revision < (last.revision ?? 0))
      wrong.push(`lost: ${name} is at revision ${kept.revision}, acknowledged was ${last.revision}`)
  }
  const known = new Map(acknowledged.map((deed) => [deed.revision, deed]))
  for (const [i, watch] of watches.entries()) {
    let before = 0
    for (const seen of watch) {
      if (seen.revision === before) wrong.push(`repeated: watch ${i} told revision ${seen.revision} twice`)
      else if (seen.revision < before) wrong.push(`reordered: watch ${i} told ${seen.revision} after ${before}`)
      before = Math.max(before, seen.revision)
      const deed = known.get(seen.revision)
      if (deed && (deed.name !== seen.name || deed.value !== seen.value))
        wrong.push(
          `wrong: revision ${seen.revision} is ${seen.name}=${seen.value}, acknowledged was ${deed.name}=${deed.value}`,
        )
    }
    const told = new Set(watch.map((seen) => seen.revision))
    for (const deed of acknowledged) {
      if (!told.has(deed.revision ?? 0))
        wrong.push(`untold: watch ${i} never told revision ${deed.revision} (${deed.name}=${deed.value})`)
    }
  }
  return wrong
}
