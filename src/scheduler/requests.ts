// What a pod asks for, and what a node has, in billionths of each resource's unit.
import type { Node, Pod, ResourceRequirements } from '../../gen/kubernetes-types.ts'
import { parseQuantity } from '../api/quantity.ts'

export type Amounts = ReadonlyMap<string, bigint>

export const ONE = 1_000_000_000n

/** Containers run side by side, init containers one after the other: the larger of the sum and each of them. */
export function requestsOf(pod: Pod): Amounts {
  const total = new Map<string, bigint>([['pods', ONE]])
  for (const container of pod.spec?.containers ?? []) {
    for (const [name, amount] of requestsIn(container.resources)) total.set(name, (total.get(name) ?? 0n) + amount)
  }
  for (const container of pod.spec?.initContainers ?? []) {
    for (const [name, amount] of requestsIn(container.resources)) {
      if (amount > (total.get(name) ?? 0n)) total.set(name, amount)
    }
  }
  return total
}

/** A limit without a request is a request too, as Kubernetes has it. */
function requestsIn(resources: ResourceRequirements | undefined): Amounts {
  return amountsOf({ ...resources?.limits, ...resources?.requests })
}

export function allocatableOf(node: Node): Amounts {
  return amountsOf(node.status?.allocatable ?? {})
}

function amountsOf(quantities: Record<string, number | string>): Map<string, bigint> {
  return new Map(
    Object.entries(quantities).map(([name, quantity]) => [name, parseQuantity(String(quantity))?.nano ?? 0n]),
  )
}

/** `2 CPU`, `512Mi memory`, `1 nvidia.com/gpu`. */
export function describeAmount(name: string, amount: bigint): string {
  const hundredths = Number((amount * 100n) / ONE) / 100
  if (name === 'cpu') return `${hundredths} CPU`
  if (name === 'memory') return `${describeBytes(Number(amount / ONE))} memory`
  return `${hundredths} ${name}`
}

function describeBytes(bytes: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${Math.round(value * 10) / 10}${units[unit]}`
}
