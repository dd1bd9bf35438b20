/** Where a printer column looks: a compiled JSONPath, in the part of the language that CRDs use. */
export type JsonPath = (object: unknown) => unknown[]

type Step = (value: unknown) => unknown[]

export function compileJsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = []
  let rest = text
    .trim()
    .replace(/^\{(.*)\}$/, '$1')
    .replace(/^\$/, '')
  if (rest !== '' && !rest.startsWith('.') && !rest.startsWith('[')) return undefined
  while (rest !== '') {
    const parsed = parseStep(rest)
    if (!parsed) return undefined
    steps.push(parsed.step)
    rest = rest.slice(parsed.length)
  }
  return (object) => steps.reduce<unknown[]>((values, step) => values.flatMap(step), [object])
}

function parseStep(text: string): { step: Step; length: number } | undefined {
  const field = /^\.((?:\\.|[^.[\\])+)/.exec(text)
  if (field) {
    const name = (field[1] ?? '').replace(/\\(.)/g, '$1')
    return { step: name === '*' ? all : (value) => member(value, name), length: field[0].length }
  }
  const filter = /^\[\?\(\s*@\.([\w.-]+)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*\)\]/.exec(text)
  if (filter) {
    const path = (filter[1] ?? '').split('.')
    const wanted = filter[3] ?? filter[4] ?? filter[5] ?? ''
    const same = filter[2] === '=='
    const step: Step = (value) =>
      all(value).filter(
        (item) => (String(path.reduce<unknown>((v, key) => member(v, key)[0], item)) === wanted) === same,
      )
    return { step, length: filter[0].length }
  }
  const slice = /^\[(-?\d*):(-?\d*)\]/.exec(text)
  if (slice) {
    const bound = (digits: string | undefined): number | undefined => (digits ? Number(digits) : undefined)
    return {
      step: (value) => (Array.isArray(value) ? value.slice(bound(slice[1]), bound(slice[2])) : []),
      length: slice[0].length,
    }
  }
  const bracket = /^\[(?:(\*)|(-?\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/.exec(text)
  if (!bracket) return text === '.' ? { step: (value) => [value], length: 1 } : undefined
  const [whole, star, index, single, double] = bracket
  if (star) return { step: all, length: whole.length }
  if (index !== undefined) {
    return { step: (value) => (Array.isArray(value) ? present(value.at(Number(index))) : []), length: whole.length }
  }
  const name = (single ?? double ?? '').replace(/\\(.)/g, '$1')
  return { step: (value) => member(value, name), length: whole.length }
}

const present = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value])

function member(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return []
  return present((value as Record<string, unknown>)[name])
}

function all(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}
