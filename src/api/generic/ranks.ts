// Ranks in GenericJob's rules: 3, "3", "1-4", "*".

export type RankProblem = 'malformed' | 'out of range'

/** The ranks an element stands for, or what is wrong with it. */
export function expandRank(element: number | string, replicas: number): number[] | RankProblem {
  if (element === '*') return Array.from({ length: replicas }, (_, i) => i)
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(String(element))
  if (!match) return 'malformed'
  const first = Number(match[1])
  const last = match[2] === undefined ? first : Number(match[2])
  if (last < first) return 'malformed'
  if (last >= replicas) return 'out of range'
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}
