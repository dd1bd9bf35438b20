// Whether labels are what a selector asks for, by Kubernetes' rules.
import type { LabelSelector } from '../../api/queue/queue-object.ts'

export type Labels = Readonly<Record<string, string>>

/** An empty selector matches everything. An operator that nobody knows matches nothing. */
export function selects({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => holds(expression, labels))
  )
}

/** `Gt` and `Lt` compare whole numbers: only node affinity knows them. */
export function holds(
  { key, operator, values = [] }: { key: string; operator: string; values?: readonly string[] },
  labels: Labels,
) {
  const value = labels[key]
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return compares(value, values[0]) > 0
    case 'Lt':
      return compares(value, values[0]) < 0
    default:
      return false
  }
}

/** Nothing, where one of them is no whole number. */
function compares(value: string | undefined, limit: string | undefined): number {
  const isWhole = (text: string | undefined): text is string => text !== undefined && /^[+-]?\d+$/.test(text)
  return isWhole(value) && isWhole(limit) ? Number(value) - Number(limit) : Number.NaN
}
