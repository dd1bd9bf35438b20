// A command line for a hint: with all that was said, for with less it would do something else, and with quotes where a shell
// needs them.
export type Flags = Record<string, string | number | boolean | undefined>

export function commandToPaste(verb: string, words: readonly string[], flags: Flags): string {
  const given = Object.entries(flags).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [flag] : [flag, String(value)]
  })
  return ['trainyard', verb, ...[...words, ...given].map(quoted)].join(' ')
}

/** To the same place. */
export function placeFlags(place: { context?: string; kubeconfig?: string; namespace?: string }): Flags {
  return { '--context': place.context, '--kubeconfig': place.kubeconfig, '-n': place.namespace }
}

function quoted(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
