// What a pod asks for, a node has, and a queue may use: whole numbers, thousandths for the CPU. Kubernetes' own scheduler
// counts alike; plain numbers keep a look at ten thousand pods short.
import type { Node, Pod, ResourceRequirements } from '../../../gen/kubernetes-types.ts'
import { formatQuantity, parseQuantity } from '../../api/quantity.ts'

export type Amounts = ReadonlyMap<string, number>

const NANO = 1_000_000_000n

export function requestsOf(pod: Pod): Amounts {
  return totalOf(pod, requestsIn).set('pods', 1)
}

export function limitsOf(pod: Pod): Amounts {
  return totalOf(pod, (resources) => amountsOf(resources?.limits ?? {}))
}

/** Containers run side by side, init containers one after the other: the larger of the sum and each of them. */
function totalOf(pod: Pod, read: (resources: ResourceRequirements | undefined) => Amounts): Map<string, number> {
  const total = new Map<string, number>()
  for (const container of pod.spec?.containers ?? []) {
    for (const [name, amount] of read(container.resources)) total.set(name, (total.get(name) ?? 0) + amount)
  }
  for (const container of pod.spec?.initContainers ?? []) {
    for (const [name, amount] of read(container.resources)) {
      if (amount > (total.get(name) ?? 0)) total.set(name, amount)
    }
  }
  return total
}

/** What of CPU and memory one of its containers does not say: `limits.memory`. */
export function undeclaredIn(pod: Pod): string[] {
  const all = (pod.spec?.containers ?? []).map(({ resources = {} }) => resources)
  return ['cpu', 'memory'].flatMap((name) => [
    ...(all.every(({ requests, limits }) => requests?.[name] ?? limits?.[name]) ? [] : [`requests.${name}`]),
    ...(all.every(({ limits }) => limits?.[name]) ? [] : [`limits.${name}`]),
  ])
}

/** A limit without a request is a request too, as Kubernetes has it. */
function requestsIn(resources: ResourceRequirements | undefined): Amounts {
  return amountsOf({ ...resources?.limits, ...resources?.requests })
}

export function allocatableOf(node: Node): Amounts {
  return amountsOf(node.status?.allocatable ?? {})
}

export function amountsOf(quantities: Record<string, number | string>): Map<string, number> {
  return new Map(Object.entries(quantities).map(([name, quantity]) => [name, amountOf(name, String(quantity))]))
}

/** Parts of the unit are rounded up: a request never shrinks to nothing. */
function amountOf(name: string, text: string): number {
  const nano = parseQuantity(text)?.nano ?? 0n
  const unit = name === 'cpu' ? NANO / 1000n : NANO
  return nano <= 0n ? 0 : Number((nano + unit - 1n) / unit)
}

export function sumOf(all: Iterable<Amounts>): Map<string, number> {
  const total = new Map<string, number>()
  for (const amounts of all) for (const [name, amount] of amounts) total.set(name, (total.get(name) ?? 0) + amount)
  return total
}

/** As quantities stand in a status: `cpu: 1500m`, `memory: 2Gi`. */
export function quantitiesOf(amounts: Amounts): Record<string, string> {
  const entries = [...amounts].filter(([, amount]) => amount !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    entries.map(([name, amount]) => {
      const nano = BigInt(amount) * (name === 'cpu' ? NANO / 1000n : NANO)
      return [name, formatQuantity({ nano, format: isBytes(name) ? 'binary' : 'decimal' })]
    }),
  )
}

function isBytes(name: string): boolean {
  return name === 'memory' || name.endsWith('storage') || name.startsWith('hugepages-')
}

/** `2 CPU`, `512Mi memory`, `1 nvidia.com/gpu`. */
export function describeAmount(name: string, amount: number): string {
  if (name === 'pods') return amount === 1 ? '1 place' : `${amount} places`
  return `${describeNumber(name, amount)} ${name === 'cpu' ? 'CPU' : name}`
}

/** The same without its name: `2`, `512Mi`. */
export function describeNumber(name: string, amount: number): string {
  if (name === 'cpu') return String(Math.round(amount / 10) / 100)
  return isBytes(name) ? describeBytes(amount) : String(amount)
}

function describeBytes(bytes: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${Math.round(value * 10) / 10}${units[unit]}`
}
