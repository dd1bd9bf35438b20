// What Kubernetes adds to CEL for lists and texts and cel-js does not bring. Our own rules use `sum` and `split`; the
// rest is for the rules of other people's CRDs.
import { Environment } from '@marcbachmann/cel-js'

type Scalar = bigint | number | string | boolean

const less = (a: Scalar, b: Scalar): boolean => a < b

function extreme(items: Scalar[], wins: (a: Scalar, b: Scalar) => boolean): Scalar {
  if (items.length === 0) throw new Error('min or max of an empty list')
  return items.reduce((best, item) => (wins(item, best) ? item : best))
}

export function buildEnvironment(): Environment {
  return new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  })
    .registerFunction('list.sum(): dyn', (items: bigint[]) => items.reduce((total, item) => total + item, 0n))
    .registerFunction('list.min(): dyn', (items: Scalar[]) => extreme(items, less))
    .registerFunction('list.max(): dyn', (items: Scalar[]) => extreme(items, (a, b) => less(b, a)))
    .registerFunction('list.isSorted(): bool', (items: Scalar[]) =>
      items.every((item, i) => i === 0 || !less(item, items[i - 1]!)),
    )
    .registerFunction('list.indexOf(dyn): int', (items: Scalar[], item: Scalar) => BigInt(items.indexOf(item)))
    .registerFunction('list.lastIndexOf(dyn): int', (items: Scalar[], item: Scalar) => BigInt(items.lastIndexOf(item)))
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, to),
    )
    .registerFunction('string.charAt(int): string', (text: string, at: bigint) => text.charAt(Number(at)))
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => new RegExp(pattern, 'u').exec(text)?.[0] ?? '',
    )
    .registerFunction(
      'string.findAll(string): list<string>',
      (text: string, pattern: string) => text.match(new RegExp(pattern, 'gu')) ?? [],
    )
}
