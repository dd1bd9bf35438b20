const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
export const LONGEST = 366 * 86_400_000

/** Milliseconds, or what is wrong with it in words. */
export function parseDuration(value: unknown): number | string {
  if (value === 0 || value === '0') return 0
  if (typeof value === 'number') return `${value} has no unit; write ${value}s for seconds`
  if (typeof value !== 'string') return 'must be a duration such as 30s, 1m30s or 24h'
  if (/^\d{1,9}$/.test(value)) return `"${value}" has no unit; write ${value}s for seconds`
  if (value.length > 40 || !/^(\d{1,9}(\.\d{1,3})?(ms|s|m|h|d))+$/.test(value)) {
    return `${quote(value)} is not a duration; write it like 30s, 1m30s or 24h`
  }
  let sum = 0
  for (const [, number, unit] of value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) sum += Number(number) * UNITS[unit!]!
  return sum > LONGEST ? `${quote(value)} is more than a year` : Math.round(sum)
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)
}
