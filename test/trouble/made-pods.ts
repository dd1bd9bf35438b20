import type { Pod } from '../../gen/kubernetes-types.ts'

/** A pod that was made: `name` is fixed by rank, so it is the attempt that tells two of them apart. */
export interface MadePod {
  job: string
  name: string
  attempt: string
}

export function madePod({ metadata }: Pod): MadePod {
  return {
    job: metadata?.ownerReferences?.[0]?.name ?? '',
    name: metadata?.name ?? '',
    attempt: metadata?.annotations?.['trainyard.dev/attempt'] ?? '',
  }
}

export function repeated(pods: readonly MadePod[]): string[] {
  const names = pods.map(({ name, attempt }) => `${name}, attempt ${attempt}`)
  return names.filter((name, index) => names.indexOf(name) !== index)
}
