// Plain scalars as kubectl reads them, which is YAML 1.1 with a few words of 1.2: `on` is true, `0644` is 420. A
// file must mean here what it means on a cluster; read by YAML 1.2's letter, `defaultMode: 0644` would become 644.

const WORDS = new Map<string, boolean | null>()
for (const word of ['y', 'yes', 'true', 'on']) for (const text of casings(word)) WORDS.set(text, true)
for (const word of ['n', 'no', 'false', 'off']) for (const text of casings(word)) WORDS.set(text, false)
for (const text of ['', '~', ...casings('null')]) WORDS.set(text, null)

const INTEGER = /^[-+]?(0[bB][01]+|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)$/
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/
const NOT_FINITE = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/

function casings(word: string): string[] {
  return [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()]
}

/** What an unquoted scalar means; undefined for infinity and not-a-number, which JSON cannot hold. */
export function resolvePlain(source: string): string | number | boolean | null | undefined {
  const word = WORDS.get(source)
  if (word !== undefined) return word
  if (!/^[-+.0-9]/.test(source)) return source
  if (NOT_FINITE.test(source)) return undefined
  const digits = source.startsWith('.') ? source : source.replaceAll('_', '')
  if (INTEGER.test(digits)) return integer(digits)
  if (!FLOAT.test(digits)) return source
  const number = Number(digits)
  return Number.isFinite(number) ? number : source
}

function integer(digits: string): number {
  const sign = digits.startsWith('-') ? -1 : 1
  const magnitude = digits.replace(/^[-+]/, '')
  const octal = /^0[0-7]/.test(magnitude)
  return sign * (octal ? Number.parseInt(magnitude, 8) : Number(magnitude)) + 0
}
