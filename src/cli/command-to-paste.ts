// A command line for a hint: to the same place, with quotes where a shell needs them.

export function commandToPaste(
  verb: string,
  words: readonly string[],
  { context, namespace }: { context?: string; namespace?: string },
): string {
  const where = [
    ...(context === undefined ? [] : ['--context', context]),
    ...(namespace === undefined ? [] : ['-n', namespace]),
  ]
  return ['trainyard', verb, ...[...words, ...where].map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
