// `1d12h`, as a queue's maxDuration writes it.
const UNITS: Readonly<Record<string, number>> = {
  y: 365 * 86_400_000,
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
}

/** In milliseconds; undefined where there is no limit: absent, empty or 0, and what is no duration. */
export function parseDuration(text: string | undefined): number | undefined {
  if (text === undefined || !/^(\d+(y|w|d|h|ms|m|s))+$/.test(text)) return undefined
  let total = 0
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[ywdhms])/g)) total += Number(count) * UNITS[unit!]!
  return total > 0 ? total : undefined
}
