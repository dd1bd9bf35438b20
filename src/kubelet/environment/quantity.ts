const suffixes: Record<string, bigint> = {
  k: 10n ** 3n,
  M: 10n ** 6n,
  G: 10n ** 9n,
  T: 10n ** 12n,
  P: 10n ** 15n,
  E: 10n ** 18n,
  Ki: 1n << 10n,
  Mi: 1n << 20n,
  Gi: 1n << 30n,
  Ti: 1n << 40n,
  Pi: 1n << 50n,
  Ei: 1n << 60n,
}
const nano = 10n ** 9n

/** A quantity in billionths, exactly; undefined if it is none. */
export function parseQuantity(quantity: number | string): bigint | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/.exec(String(quantity))
  if (!match || (!match[2] && !match[3])) return undefined
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] = match
  const digits = BigInt(whole + fraction)
  let scaled = digits * nano * (suffixes[suffix] ?? 1n)
  const thousandths = Math.max(0, ['', 'm', 'u', 'n'].indexOf(suffix))
  const shift = (exponent ? Number(exponent.slice(1)) : 0) - fraction.length - 3 * thousandths
  if (Math.abs(shift) > 100) return undefined
  scaled = shift >= 0 ? scaled * 10n ** BigInt(shift) : divideUp(scaled, 10n ** BigInt(-shift))
  return sign === '-' ? -scaled : scaled
}

export function divideUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}
