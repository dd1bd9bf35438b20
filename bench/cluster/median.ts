/** What several runs say about one figure. */
export interface Spread {
  median: number
  least: number
  most: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
  return { median: median ?? Number.NaN, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN }
}

export const medianOf = (values: readonly number[]): number => spreadOf(values).median
