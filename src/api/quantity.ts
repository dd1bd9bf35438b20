/** An amount as Kubernetes writes it: an integer number of 10^exponent or of a binary unit. */
export interface Quantity {
  /** In billionths of the unit, which is the finest Kubernetes keeps. */
  nano: bigint
  format: 'decimal' | 'binary' | 'exponent'
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const DECIMAL: Record<string, number> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const NANO = 1_000_000_000n

export function parseQuantity(text: string): Quantity | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/.exec(text)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = '', binary, decimal, exponent] = match
  if (whole === '' && fraction === '') return undefined
  const power = decimal !== undefined ? (DECIMAL[decimal] ?? 0) : Number(exponent ?? 0)
  if (Math.abs(power) > 30) return undefined
  const digits = BigInt(whole + fraction || '0')
  const factor = binary === undefined ? 1n : 1024n ** BigInt(BINARY.indexOf(binary))
  const shift = 9 + power - fraction.length
  const scaled = digits * factor
  // Finer than a billionth is rounded up, as Kubernetes does: a request never shrinks to nothing.
  const nano = shift >= 0 ? scaled * 10n ** BigInt(shift) : ceilDivide(scaled, 10n ** BigInt(-shift))
  return {
    nano: sign === '-' ? -nano : nano,
    format: binary ? 'binary' : exponent !== undefined ? 'exponent' : 'decimal',
  }
}

const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** The canonical form: the largest unit that needs no fraction. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0'
  const sign = nano < 0n ? '-' : ''
  const amount = nano < 0n ? -nano : nano
  if (format === 'binary' && amount % NANO === 0n && amount / NANO >= 1024n) {
    let value = amount / NANO
    let unit = 0
    while (value % 1024n === 0n && unit < BINARY.length - 1) {
      value /= 1024n
      unit++
    }
    return `${sign}${value}${BINARY[unit]}`
  }
  let value = amount
  let power = -9
  while (value % 1000n === 0n && power < 18) {
    value /= 1000n
    power += 3
  }
  if (format === 'exponent') return power === 0 ? `${sign}${value}` : `${sign}${value}e${power}`
  const unit = Object.keys(DECIMAL).find((suffix) => DECIMAL[suffix] === power) ?? ''
  return `${sign}${value}${unit}`
}
