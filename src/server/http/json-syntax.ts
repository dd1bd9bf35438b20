/** Why a text is no JSON, as Go's decoder puts it; undefined if it is. */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  return new Scan(bytes).run()
}

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])
const WORDS: Record<string, string> = { t: 'true', f: 'false', n: 'null' }
/** Beyond it the scan itself would run out of stack. */
const DEPTH_LIMIT = 1001
const CUT = 'unexpected end of JSON input'

class SyntaxProblem extends Error {}

const isDigit = (c: number | undefined): boolean => c !== undefined && c >= 0x30 && c <= 0x39

/** A byte in single quotes, as Go prints it. */
function quoteByte(c: number): string {
  if (c === 0x27) return "'\\''"
  if (c === 0x22) return "'\"'"
  const text = String.fromCharCode(c)
  const escaped = JSON.stringify(text)
  if (c === 0x5c) return "'\\\\'"
  if (c < 0x20 && escaped.startsWith('"\\u')) return `'\\x${c.toString(16).padStart(2, '0')}'`
  return c >= 0x7f && c <= 0xa0 ? `'\\u00${c.toString(16)}'` : `'${escaped.slice(1, -1)}'`
}

/** Goes by bytes, as Go does: a sign of several bytes is complained about by its first. */
class Scan {
  readonly #bytes: Uint8Array
  #at = 0
  #depth = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  run(): string | undefined {
    try {
      this.#value()
      this.#skip()
      if (this.#at < this.#bytes.length) this.#refuse('after top-level value')
      return undefined
    } catch (error) {
      if (error instanceof SyntaxProblem) return error.message
      throw error
    }
  }

  #refuse(where: string): never {
    const c = this.#bytes[this.#at]
    throw new SyntaxProblem(c === undefined ? CUT : `invalid character ${quoteByte(c)} ${where}`)
  }

  #skip(): void {
    while (SPACE.has(this.#bytes[this.#at] ?? 0)) this.#at++
  }

  #next(): number | undefined {
    this.#skip()
    return this.#bytes[this.#at]
  }

  #value(): void {
    if (++this.#depth > DEPTH_LIMIT) throw new SyntaxProblem('exceeded max depth')
    this.#readValue()
    this.#depth--
  }

  #readValue(): void {
    const c = this.#next()
    const sign = c === undefined ? '' : String.fromCharCode(c)
    if (sign === '{') this.#object()
    else if (sign === '[') this.#array()
    else if (sign === '"') this.#string()
    else if (sign === '-' || isDigit(c)) this.#number()
    else if (Object.hasOwn(WORDS, sign)) this.#word(WORDS[sign] ?? '')
    else this.#refuse('looking for beginning of value')
  }

  #object(): void {
    this.#at++
    if (this.#next() === 0x7d) {
      this.#at++
      return
    }
    for (;;) {
      if (this.#next() !== 0x22) this.#refuse('looking for beginning of object key string')
      this.#string()
      if (this.#next() !== 0x3a) this.#refuse('after object key')
      this.#at++
      this.#value()
      if (this.#ends(0x7d, 'after object key:value pair')) return
    }
  }

  #array(): void {
    this.#at++
    if (this.#next() === 0x5d) {
      this.#at++
      return
    }
    do this.#value()
    while (!this.#ends(0x5d, 'after array element'))
  }

  /** Past a comma it goes on, past the closing sign it ends. */
  #ends(closing: number, where: string): boolean {
    const c = this.#next()
    if (c !== closing && c !== 0x2c) this.#refuse(where)
    this.#at++
    return c === closing
  }

  #string(): void {
    for (this.#at++; ; this.#at++) {
      const c = this.#bytes[this.#at]
      if (c === 0x22) break
      if (c === undefined || c < 0x20) this.#refuse('in string literal')
      if (c === 0x5c) this.#escape()
    }
    this.#at++
  }

  #escape(): void {
    const c = this.#bytes[++this.#at]
    if (c === 0x75) {
      for (let i = 0; i < 4; i++) {
        const digit = this.#bytes[++this.#at]
        if (digit === undefined || !/[0-9a-fA-F]/.test(String.fromCharCode(digit)))
          this.#refuse('in \\u hexadecimal character escape')
      }
    } else if (c === undefined || !'bfnrt\\/"'.includes(String.fromCharCode(c))) this.#refuse('in string escape code')
  }

  #digits(where: string): void {
    if (!isDigit(this.#bytes[this.#at])) this.#refuse(where)
    while (isDigit(this.#bytes[this.#at])) this.#at++
  }

  #number(): void {
    if (this.#bytes[this.#at] === 0x2d) this.#at++
    if (this.#bytes[this.#at] === 0x30) this.#at++
    else this.#digits('in numeric literal')
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at++
      this.#digits('after decimal point in numeric literal')
    }
    const c = this.#bytes[this.#at]
    if (c !== 0x65 && c !== 0x45) return
    this.#at++
    const sign = this.#bytes[this.#at]
    if (sign === 0x2b || sign === 0x2d) this.#at++
    this.#digits('in exponent of numeric literal')
  }

  #word(word: string): void {
    for (let i = 1; i < word.length; i++) {
      this.#at++
      if (this.#bytes[this.#at] !== word.charCodeAt(i)) this.#refuse(`in literal ${word} (expecting '${word[i]}')`)
    }
    this.#at++
  }
}
