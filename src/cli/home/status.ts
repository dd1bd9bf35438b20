import { readFileSync } from 'node:fs'
import { phaseOfJob } from '../../api/job-phase.ts'
import type { CommandContext } from '../context.ts'
import { renderData } from '../output/data.ts'
import { connect } from './connect.ts'
import { findHome, homeDirectory, shortPath } from './home-state.ts'
import { listJobs } from './running-jobs.ts'

/** Exit code 3 where no home runs: there is nobody to answer. */
export async function showHome(context: CommandContext): Promise<number> {
  const { terminal, format } = context
  const dir = homeDirectory(terminal.env)
  const state = findHome(dir)
  if (!state) {
    if (format) terminal.out(await renderData({ running: false, directory: dir }, format))
    else terminal.err(`no home is running in ${shortPath(dir, terminal.env)}\n  start it  trainyard up\n`)
    return 3
  }
  const { client } = await connect(context, {})
  try {
    const jobs = await listJobs(client)
    const phases = Map.groupBy(jobs, (job) => phaseOfJob(job))
    const counts = Object.fromEntries([...phases].map(([phase, all]) => [phase, all.length]))
    const memory = memoryOf(state.pid)
    if (format) {
      terminal.out(
        await renderData({ running: true, directory: dir, ...state, memoryBytes: memory, jobs: counts }, format),
      )
      return 0
    }
    const words = Object.entries(counts).map(([phase, n]) => `${n} ${phase}`)
    const size = memory === undefined ? '' : `, ${Math.round(memory / 2 ** 20)} MB`
    terminal.out(`home     ${shortPath(dir, terminal.env)}, process ${state.pid} since ${state.since}${size}\n`)
    terminal.out(`api      ${state.url}   kubeconfig ${shortPath(state.kubeconfig, terminal.env)}\n`)
    terminal.out(`jobs     ${words.length > 0 ? words.join(', ') : 'none'}\n`)
    return 0
  } finally {
    await client.close()
  }
}

export function memoryOf(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found ? Number(found[1]) * 1024 : undefined
  } catch {
    return undefined
  }
}
