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

function holds(
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
    default:
      return false
  }
}
