// trainyard doctor: whether this machine is fit to run jobs.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fromTimestamp } from '../../lib/time.ts'
import type { CommandContext } from '../context.ts'
import type { Machine } from '../home/commands.ts'
import { connect } from '../home/connect.ts'
import { loadPlan } from '../home/home-plan.ts'
import { findHome, type HomeState, homeDirectory, shortPath } from '../home/home-state.ts'
import { listJobs } from '../home/running-jobs.ts'
import { memoryOf } from '../home/status.ts'
import { renderData } from '../output/data.ts'
import { type Check, renderChecks } from './doctor-view.ts'
import {
  describeProcesses,
  describeSandbox,
  examineDisk,
  examineNode,
  examinePython,
  examineToken,
  sizeOf,
} from './examine-machine.ts'

export async function examine(context: CommandContext, machine: Machine): Promise<number> {
  const { terminal, format, out } = context
  const { env } = terminal
  const dir = homeDirectory(env)
  const state = findHome(dir)
  const secrets = [join(dir, 'server', 'kubeconfig'), join(dir, 'server', 'pki', 'identity.json')].filter(existsSync)
  const checks: Check[] = await Promise.all([
    examineNode(env),
    examineHome(context, dir, state),
    ...(secrets.length > 0 ? [examineToken(secrets, state?.url)] : []),
    examineDisk(nearestThere(dir)),
    machine.mountsVolumes().then(describeSandbox),
    machine.limitsProcesses().then((usual) => describeProcesses(usual && (loadPlan(dir).podPidsLimit ?? usual))),
    examinePython(env),
  ])
  terminal.out(format ? await renderData({ checks }, format) : `${renderChecks(checks, out).join('\n')}\n`)
  return checks.some(({ status }) => status === 'problem') ? 1 : 0
}

async function examineHome(context: CommandContext, dir: string, state: HomeState | undefined): Promise<Check> {
  const where = shortPath(dir, context.terminal.env)
  if (!state) return { name: 'home', status: 'remark', message: `none is running in ${where}`, fix: 'trainyard up' }
  try {
    const { client } = await connect(context, {})
    try {
      const jobs = (await listJobs(client)).length
      const memory = memoryOf(state.pid)
      const message = [
        where,
        `running for ${minutesSince(state.since)}`,
        ...(memory === undefined ? [] : [`${Math.round(memory / 2 ** 20)} MB`]),
        `${jobs} ${jobs === 1 ? 'job' : 'jobs'}`,
        `${Math.round((await sizeOf(dir)) / 1e6)} MB on disk`,
      ].join(', ')
      return { name: 'home', status: 'fine', message }
    } finally {
      await client.close()
    }
  } catch (error) {
    if (!(error instanceof Error) || !['ApiError', 'ConnectionError', 'ConfigError'].includes(error.name)) throw error
    const message = `process ${state.pid} of ${where} does not answer: ${error.message}`
    return { name: 'home', status: 'problem', message, fix: 'trainyard down --leave-running, then trainyard up' }
  }
}

function minutesSince(time: string): string {
  const minutes = Math.floor((Date.now() - (fromTimestamp(time) ?? Date.now())) / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}

/** A home that was never started is not there yet; the disk it will be on is. */
function nearestThere(directory: string): string {
  return existsSync(directory) ? directory : nearestThere(dirname(directory))
}
