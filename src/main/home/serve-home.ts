// `trainyard up --foreground`: the home as this process, until it is told to stop.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HomePlan, loadPlan, savePlan } from '../../cli/home/home-plan.ts'
import {
  activeEnvironment,
  birthOf,
  findHome,
  forgetHome,
  type HomeState,
  stateFile,
} from '../../cli/home/home-state.ts'
import { toTimestamp } from '../../lib/time.ts'
import { settleAfterStart } from './settle.ts'

export interface ServeOptions {
  dir: string
  port?: number
  /** Kept for later starts; without it, the one that was kept. */
  plan?: HomePlan
  version: string
}

/** Resolves with the exit code when the home has stopped. */
export async function serveHome({ dir, port, plan, version }: ServeOptions): Promise<number> {
  const log = (line: string): void => void process.stdout.write(`${toTimestamp(Date.now())} ${line}\n`)
  const other = findHome(dir)
  if (other) {
    log(`a home is running in ${dir} already (process ${other.pid})`)
    return 1
  }
  const { startHome } = await import('./home.ts')
  let home: Awaited<ReturnType<typeof startHome>>
  try {
    home = await startHome({ dir, port, plan: plan ?? loadPlan(dir), log })
    if (plan) savePlan(dir, plan)
  } catch (error) {
    log(error instanceof Error ? error.message : String(error))
    return 3
  }
  const state: HomeState = {
    pid: process.pid,
    birth: birthOf(process.pid) ?? '',
    url: home.url,
    socket: home.socketPath,
    kubeconfig: home.kubeconfigPath,
    version,
    since: toTimestamp(Date.now()),
    environment: activeEnvironment(process.env),
  }
  const written = join(dir, 'home.json.new')
  writeFileSync(written, JSON.stringify(state), { mode: 0o600 })
  renameSync(written, stateFile(dir))
  log(`ready at ${home.url}`)
  settleAfterStart()
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
  })
  log(`stopping (${signal})`)
  forgetHome(dir)
  await home.stop()
  log('stopped')
  return 0
}
