// Kubernetes quantities, as far as a table of resources needs them.
import type { PodSpec, ResourceRequirements } from '../../../gen/kubernetes-types.ts'
import { parseQuantity } from '../../api/quantity.ts'

/** As a number of the resource's unit; undefined for what is no quantity. */
export function amountOf(quantity: unknown): number | undefined {
  const parsed = parseQuantity(String(quantity ?? ''))
  return parsed && Number(parsed.nano) / 1e9
}

const BINARY = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 }

export interface Needs {
  cpu?: number
  memory?: number
  gpu?: number
}

/** What a pod asks for: its containers together, or its hungriest init container where that is more. */
export function podNeeds(spec: PodSpec | undefined): Needs {
  const needs: Needs = {}
  for (const container of spec?.containers ?? []) add(needs, containerNeeds(container.resources))
  for (const container of spec?.initContainers ?? []) {
    const own = containerNeeds(container.resources)
    for (const key of ['cpu', 'memory', 'gpu'] as const) {
      if (own[key] !== undefined) needs[key] = Math.max(needs[key] ?? 0, own[key])
    }
  }
  return needs
}

export function add(into: Needs, more: Needs, times = 1): void {
  for (const key of ['cpu', 'memory', 'gpu'] as const) {
    const amount = more[key]
    if (amount !== undefined) into[key] = (into[key] ?? 0) + amount * times
  }
}

/** Where only a limit is given, Kubernetes requests as much. */
function containerNeeds(resources: ResourceRequirements | undefined): Needs {
  const asked: Record<string, unknown> = { ...resources?.limits, ...resources?.requests }
  const needs: Needs = {}
  for (const [name, quantity] of Object.entries(asked)) {
    const amount = amountOf(quantity)
    if (amount === undefined) continue
    if (name === 'cpu') needs.cpu = amount
    else if (name === 'memory') needs.memory = amount
    else if (/\/.*gpu/i.test(name)) needs.gpu = (needs.gpu ?? 0) + amount
  }
  return needs
}

/** Cores, with at most three decimals. */
export function formatCount(amount: number | undefined, none: string): string {
  return amount === undefined ? none : String(Math.round(amount * 1000) / 1000)
}

export function formatMemory(bytes: number | undefined, none: string): string {
  if (bytes === undefined) return none
  if (bytes === 0) return '0'
  const unit = (['Ti', 'Gi', 'Mi', 'Ki'] as const).find((name) => bytes >= BINARY[name])
  if (!unit) return String(Math.ceil(bytes))
  return `${Math.round((bytes / BINARY[unit]) * 10) / 10}${unit}`
}
