import { checkLabelValue, checkQualifiedName } from '../resources/name-rules.ts'
import { badRequest } from '../status-error.ts'

export type LabelSelector = (labels: Readonly<Record<string, string>>) => boolean

const EVERYTHING: LabelSelector = () => true

/** `a=b,c!=d,e in (f,g),!h,i>1`: the syntax of the labelSelector parameter. */
export function parseLabelSelector(text: string | null): LabelSelector {
  if (!text?.trim()) return EVERYTHING
  const parts = splitRequirements(text).map((part) => parseRequirement(part.trim(), text))
  return (labels) => parts.every((part) => part(labels))
}

/** At commas, but not at those inside parentheses. */
function splitRequirements(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')') depth--
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

function parseRequirement(part: string, whole: string): LabelSelector {
  const set = /^(\S+)\s+(in|notin)\s+\(([^()]*)\)$/.exec(part)
  if (set) {
    const key = checkKey(set[1] ?? '', whole)
    const values = new Set((set[3] ?? '').split(',').map((value) => checkValue(value.trim(), whole)))
    return set[2] === 'in'
      ? (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? '')
      : (labels) => !Object.hasOwn(labels, key) || !values.has(labels[key] ?? '')
  }
  const absent = /^!\s*([^\s=!<>(),]+)$/.exec(part)
  if (absent) {
    const key = checkKey(absent[1] ?? '', whole)
    return (labels) => !Object.hasOwn(labels, key)
  }
  const binary = /^([^\s=!<>(),]+)\s*(==|=|!=|>|<)\s*([^\s=!<>(),]*)$/.exec(part)
  if (binary)
    return compareTo(checkKey(binary[1] ?? '', whole), binary[2] ?? '', checkValue(binary[3] ?? '', whole), whole)
  if (/^[^\s=!<>(),]+$/.test(part)) {
    const key = checkKey(part, whole)
    return (labels) => Object.hasOwn(labels, key)
  }
  throw unparsable(whole, `found '${part}', expected: identifier with an operator`)
}

function compareTo(key: string, operator: string, value: string, whole: string): LabelSelector {
  if (operator === '!=') return (labels) => labels[key] !== value || !Object.hasOwn(labels, key)
  if (operator === '=' || operator === '==') return (labels) => Object.hasOwn(labels, key) && labels[key] === value
  if (!/^[+-]?\d+$/.test(value))
    throw unparsable(whole, `values[0][${key}]: for 'Gt', 'Lt' operators, the value must be an integer`)
  const bound = Number(value)
  return (labels) => {
    const own = Object.hasOwn(labels, key) ? Number.parseInt(labels[key] ?? '', 10) : Number.NaN
    return operator === '>' ? own > bound : own < bound
  }
}

function checkKey(key: string, whole: string): string {
  const [wrong] = checkQualifiedName(key)
  if (wrong) throw unparsable(whole, `key: Invalid value: ${JSON.stringify(key)}: ${wrong}`)
  return key
}

function checkValue(value: string, whole: string): string {
  const [wrong] = checkLabelValue(value)
  if (wrong) throw unparsable(whole, `values[0]: Invalid value: ${JSON.stringify(value)}: ${wrong}`)
  return value
}

const unparsable = (text: string, why: string) =>
  badRequest(`unable to parse requirement in label selector ${JSON.stringify(text)}: ${why}`)
