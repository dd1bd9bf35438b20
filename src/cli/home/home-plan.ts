// What a home is to look like: how many nodes it plays, what each of them has, how strict its queues are, how many
// processes a pod may have. Kept with the home, so that every later start is like the one before.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseQuantity } from '../../api/quantity.ts'
import { UsageError } from '../usage-error.ts'

export interface HomePlan {
  nodes: number
  /** Of each node, in place of what the machine has. */
  capacity: Record<string, string>
  /** A queue without namespaceSelector is open to no namespace. */
  strictQueues: boolean
  /** How many processes and threads a pod may have, 0 for any number; absent: as usual. */
  podPidsLimit?: number
}

export interface PlanFlags {
  nodes?: string
  capacity?: string
  strictQueues?: boolean
  podPidsLimit?: string
}

const MOST_NODES = 1_000
/** What Linux can count to. */
const MOST_PROCESSES = 4_194_304
const USUAL: HomePlan = { nodes: 1, capacity: {}, strictQueues: false }
const HINT = 'trainyard up --nodes 4 --capacity cpu=8,nvidia.com/gpu=4'

const planFile = (dir: string): string => join(dir, 'plan.json')

export function loadPlan(dir: string): HomePlan {
  try {
    return { ...USUAL, ...(JSON.parse(readFileSync(planFile(dir), 'utf8')) as Partial<HomePlan>) }
  } catch {
    return USUAL
  }
}

export function savePlan(dir: string, plan: HomePlan): void {
  writeFileSync(planFile(dir), JSON.stringify(plan), { mode: 0o600 })
}

/** Undefined where nothing was asked for; what is not said is as usual, not as before. */
export function planOf(flags: PlanFlags): HomePlan | undefined {
  const { nodes, capacity, strictQueues, podPidsLimit } = flags
  if ([nodes, capacity, strictQueues, podPidsLimit].every((flag) => flag === undefined)) return undefined
  const count = Number(nodes ?? USUAL.nodes)
  if (!Number.isInteger(count) || count < 1 || count > MOST_NODES)
    throw new UsageError(`--nodes=${nodes}: a number from 1 to ${MOST_NODES}`, HINT)
  if (podPidsLimit !== undefined && (!/^\d{1,7}$/.test(podPidsLimit) || Number(podPidsLimit) > MOST_PROCESSES))
    throw new UsageError(`--pod-pids-limit=${podPidsLimit}: a number from 0 (no limit) to ${MOST_PROCESSES}`)
  return {
    nodes: count,
    capacity: parseCapacity(capacity ?? ''),
    strictQueues: strictQueues ?? false,
    ...(podPidsLimit !== undefined && { podPidsLimit: Number(podPidsLimit) }),
  }
}

/** The command line that asks for this plan. */
export function flagsOf({ nodes, capacity, strictQueues, podPidsLimit }: HomePlan): string[] {
  const amounts = Object.entries(capacity).map(([name, amount]) => `${name}=${amount}`)
  return [
    '--nodes',
    String(nodes),
    ...(amounts.length > 0 ? ['--capacity', amounts.join(',')] : []),
    ...(strictQueues ? ['--strict-queues'] : []),
    ...(podPidsLimit === undefined ? [] : ['--pod-pids-limit', String(podPidsLimit)]),
  ]
}

function parseCapacity(text: string): Record<string, string> {
  const capacity: Record<string, string> = {}
  for (const part of text.split(',').filter((piece) => piece !== '')) {
    const [name = '', amount = '', ...more] = part.split('=').map((piece) => piece.trim())
    const quantity = parseQuantity(amount)
    if (more.length > 0 || !/^[a-z0-9]([a-z0-9./_-]*[a-z0-9])?$/i.test(name) || !quantity || quantity.nano < 0n)
      throw new UsageError(`--capacity: "${part}" is not a resource and an amount, for example cpu=8`, HINT)
    if (name !== 'cpu' && quantity.nano % 1_000_000_000n !== 0n)
      throw new UsageError(`--capacity: ${name} comes in whole numbers, not ${amount}`, HINT)
    if (name in capacity) throw new UsageError(`--capacity: ${name} is said twice`, HINT)
    capacity[name] = amount
  }
  return capacity
}
