// None at first, then 1, 2, 4 … 300 s; a replica that has run for ten minutes starts from none again.

const LONGEST_SECONDS = 300
const CALM_SECONDS = 600

/** How many setbacks in a row the coming restart makes, given how long the replica ran before it. */
export function countSetback(before: number | undefined, ranForSeconds: number): number {
  return ranForSeconds >= CALM_SECONDS ? 1 : (before ?? 0) + 1
}

export function delayMillis(setbacks: number): number {
  return setbacks <= 1 ? 0 : Math.min(LONGEST_SECONDS, 2 ** (setbacks - 2)) * 1000
}
