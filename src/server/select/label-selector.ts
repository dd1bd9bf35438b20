import { checkLabelValue, checkQualifiedName } from '../resources/name-rules.ts'
import { badRequest } from '../status-error.ts'

export type LabelSelector = (labels: Readonly<Record<string, string>>) => boolean

const EVERYTHING: LabelSelector = () => true

/** `a=b,c!=d,e in (f,g),!h,i>1`: the syntax of the labelSelector parameter. */
export function parseLabelSelector(text: string | null): LabelSelector {
  if (!text?.trim()) return EVERYTHING
  const tokens = new Tokens(text)
  const parts: LabelSelector[] = []
  for (;;) {
    const next = tokens.peek()
    if (next === '') break
    if (next !== '!' && !isWord(next)) throw badRequest(`found '${next}', expected: !, identifier, or 'end of string'`)
    parts.push(parseRequirement(tokens))
    const after = tokens.take()
    if (after === '') break
    if (after !== ',') throw badRequest(`found '${after}', expected: ',' or 'end of string'`)
    const following = tokens.peek()
    if (following !== '!' && !isWord(following))
      throw badRequest(`found '${following}', expected: identifier after ','`)
  }
  return (labels) => parts.every((part) => part(labels))
}

/** Words and signs; the end is the empty word. */
class Tokens {
  readonly #list: string[]
  #at = 0
  constructor(text: string) {
    this.#list = text.match(/[=!<>(),]+?(?:(?<=[=!])=)?|[^\s=!<>(),]+/g) ?? []
  }
  peek(): string {
    return this.#list[this.#at] ?? ''
  }
  take(): string {
    return this.#list[this.#at++] ?? ''
  }
}

const isWord = (token: string): boolean => token !== '' && !/^[=!<>(),]/.test(token)
const wrong = (detail: string) => badRequest(`unable to parse requirement: ${detail}`)

function parseRequirement(tokens: Tokens): LabelSelector {
  const negated = tokens.peek() === '!'
  if (negated) tokens.take()
  const key = tokens.take()
  if (!isWord(key)) throw wrong(`found '${key}', expected: identifier`)
  checkKey(key)
  const next = tokens.peek()
  if (next === '' || next === ',')
    return negated ? (labels) => !Object.hasOwn(labels, key) : (labels) => Object.hasOwn(labels, key)
  const operator = tokens.take()
  switch (operator) {
    case 'in':
    case 'notin': {
      const values = new Set(parseValues(tokens))
      for (const value of values) checkValue(key, value)
      return operator === 'in'
        ? (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? '')
        : (labels) => !Object.hasOwn(labels, key) || !values.has(labels[key] ?? '')
    }
    case '=':
    case '==':
    case '!=':
    case '>':
    case '<':
      return compareTo(key, operator, parseValue(tokens))
    default:
      throw wrong(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`)
  }
}

function parseValue(tokens: Tokens): string {
  const next = tokens.peek()
  if (next === '' || next === ',') return ''
  if (!isWord(next)) throw wrong(`found '${next}', expected: identifier`)
  return tokens.take()
}

/** Between parentheses; an empty place is the empty value. */
function parseValues(tokens: Tokens): string[] {
  const open = tokens.take()
  if (open !== '(') throw wrong(`found '${open}' expected: '('`)
  const values: string[] = []
  let expectValue = true
  for (;;) {
    const token = tokens.take()
    if (token === ')' || token === ',') {
      if (expectValue) values.push('')
      expectValue = true
      if (token === ')') return values
    } else if (isWord(token) && expectValue) {
      values.push(token)
      expectValue = false
    } else if (expectValue) throw wrong(`found '${token}', expected: ',', or identifier`)
    else throw wrong(`found '${token}', expected: ',' or ')'`)
  }
}

function compareTo(key: string, operator: string, value: string): LabelSelector {
  if (operator === '>' || operator === '<') {
    if (!/^[+-]?\d+$/.test(value)) {
      throw wrong(
        `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      )
    }
    const bound = Number(value)
    return (labels) => {
      const own = Object.hasOwn(labels, key) ? Number.parseInt(labels[key] ?? '', 10) : Number.NaN
      return operator === '>' ? own > bound : own < bound
    }
  }
  checkValue(key, value)
  if (operator === '!=') return (labels) => labels[key] !== value || !Object.hasOwn(labels, key)
  return (labels) => Object.hasOwn(labels, key) && labels[key] === value
}

function checkKey(key: string): void {
  const found = checkQualifiedName(key)
  if (found.length > 0) throw wrong(`<nil>: Invalid value: ${JSON.stringify(key)}: ${found.join('; ')}`)
}

function checkValue(key: string, value: string): void {
  const found = checkLabelValue(value)
  if (found.length > 0) throw wrong(`values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${found.join('; ')}`)
}
