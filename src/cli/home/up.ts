// Starting the home, and how others reach it.
import { readFileSync } from 'node:fs'
import { sameJson } from '../../lib/json.ts'
import type { CommandContext } from '../context.ts'
import { UsageError } from '../usage-error.ts'
import { flagsOf, type HomePlan, loadPlan } from './home-plan.ts'
import { findHome, homeDirectory, shortPath } from './home-state.ts'
import { ensureHome, type Launcher } from './start-home.ts'

export async function startTheHome(
  { terminal }: CommandContext,
  launcher: Launcher,
  port?: number,
  plan?: HomePlan,
): Promise<number> {
  const dir = homeDirectory(terminal.env)
  const where = shortPath(dir, terminal.env)
  const waiting = (): void => terminal.err(`trainyard: starting the home (${where}) …\n`)
  const { state, took } = await ensureHome(dir, launcher, waiting, port, plan)
  if (took === undefined && plan && !sameJson(plan, loadPlan(dir))) {
    terminal.err(
      `trainyard: the home in ${where} runs already, with ${describeNodes(loadPlan(dir))}; that changes when it starts anew\n`,
    )
    terminal.err(`  change it  trainyard down && trainyard up ${flagsOf(plan).join(' ')}\n`)
    return 1
  }
  if (took === undefined) terminal.err(`home runs already in ${where}, since ${state.since}, at ${state.url}\n`)
  else terminal.err(`home ready in ${(took / 1000).toFixed(1)} s in ${where}, at ${state.url}\n`)
  const running = loadPlan(dir)
  if (running.nodes > 1 || Object.keys(running.capacity).length > 0)
    terminal.err(`  nodes    ${describeNodes(running)}\n`)
  terminal.err(`  kubectl  export KUBECONFIG=${state.kubeconfig}\n  stop it  trainyard down\n`)
  return 0
}

/** `4 nodes, each cpu 8, nvidia.com/gpu 4`. */
function describeNodes({ nodes, capacity, podPidsLimit }: HomePlan): string {
  const amounts = Object.entries(capacity).map(([name, amount]) => `${name} ${amount}`)
  const each = amounts.length > 0 ? `, ${nodes > 1 ? 'each ' : ''}${amounts.join(', ')}` : ''
  const processes = podPidsLimit === undefined ? '' : `, pods of ${podPidsLimit || 'any number of'} processes`
  return `${nodes} ${nodes === 1 ? 'node' : 'nodes'}${each}${processes}`
}

export function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new UsageError(`--port=${text}: a number from 1 to 65535`)
  return port
}

export function printKubeconfig({ terminal }: CommandContext): number {
  const state = findHome(homeDirectory(terminal.env))
  if (!state) {
    terminal.err('trainyard: no home is running\n  start it  trainyard up\n')
    return 3
  }
  terminal.out(readFileSync(state.kubeconfig, 'utf8'))
  return 0
}
