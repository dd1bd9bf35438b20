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
  for (const [i, watch] of watches.entries()) {
    let before = 0
    const told = new Map<number, Seen>()
    for (const seen of watch) {
      if (seen.revision === before) wrong.push(`repeated: watch ${i} told revision ${seen.revision} twice`)
      else if (seen.revision < before) wrong.push(`reordered: watch ${i} told ${seen.revision} after ${before}`)
      before = Math.max(before, seen.revision)
      told.set(seen.revision, seen)
    }
    // Each deed by itself: a revision that was lost is given out again and then looks as if it were there.
    for (const { name, value, revision = 0 } of acknowledged) {
      const seen = told.get(revision)
      if (!seen) wrong.push(`untold: watch ${i} never told revision ${revision} (${name}=${value})`)
      else if (seen.name !== name || seen.value !== value) {
        wrong.push(`wrong: revision ${revision} is ${seen.name}=${seen.value}, acknowledged was ${name}=${value}`)
      }
    }
  }
  return wrong
}
