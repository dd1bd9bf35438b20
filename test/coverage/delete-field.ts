/** A copy without one field: `spec.replicaSpecs[].type`, `status.replicaStatuses.*.active`. `[]`: in every item. */
export function deleteField<T>(object: T, field: string): T {
  const steps = field.replaceAll('[]', '.*').split('.')
  const copy = structuredClone(object)
  removeAt(copy, steps)
  return copy
}

function removeAt(value: unknown, [step, ...rest]: string[]): void {
  if (typeof value !== 'object' || value === null || step === undefined) return
  const record = value as Record<string, unknown>
  if (rest.length === 0) delete record[step]
  else for (const key of step === '*' ? Object.keys(record) : [step]) removeAt(record[key], rest)
}
