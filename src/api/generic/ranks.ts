// Ranks in GenericJob's rules: 3, "3", "1-4", "*".

export type RankProblem = 'malformed' | 'out of range'

interface Span {
  first: number
  last: number
}

/** The ranks an element stands for, or what is wrong with it. */
export function expandRank(element: number | string, replicas: number): number[] | RankProblem {
  const span = spanOf(element, replicas)
  if (typeof span === 'string') return span
  return Array.from({ length: span.last - span.first + 1 }, (_, i) => span.first + i)
}

/** Said without making a list: a job that is still being checked may ask for any number of replicas. */
export function rankProblem(element: number | string, replicas: number): RankProblem | undefined {
  const span = spanOf(element, replicas)
  return typeof span === 'string' ? span : undefined
}

function spanOf(element: number | string, replicas: number): Span | RankProblem {
  if (element === '*') return { first: 0, last: replicas - 1 }
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(String(element))
  if (!match) return 'malformed'
  const first = Number(match[1])
  const last = match[2] === undefined ? first : Number(match[2])
  if (last < first) return 'malformed'
  return last >= replicas ? 'out of range' : { first, last }
}
