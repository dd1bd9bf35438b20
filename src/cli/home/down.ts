import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { phaseOfJob } from '../../api/job-phase.ts'
import { pausePatch } from '../../api/pause-patch.ts'
import { isNotFound, type KubeClient, type KubeObject, PODS } from '../../kube/index.ts'
import type { CommandContext } from '../context.ts'
import { connect } from './connect.ts'
import { birthOf, findHome, type HomeState, homeDirectory, shortPath } from './home-state.ts'
import { type AnyJob, isFinished, listJobs, resourceOf } from './running-jobs.ts'

export interface DownOptions {
  force?: boolean
  leaveRunning?: boolean
  purge?: boolean
}

const PATIENCE = 60_000
const PACE = 50

export async function stopTheHome(context: CommandContext, options: DownOptions): Promise<number> {
  const { terminal } = context
  const dir = homeDirectory(terminal.env)
  const where = shortPath(dir, terminal.env)
  const state = findHome(dir)
  if (!state) terminal.err(`no home is running in ${where}\n`)
  else {
    const left = await settleJobs(context, options)
    if (left === undefined) return 1
    await endProcess(state)
    const data = options.purge ? '' : ` Data stays in ${where} (trainyard down --purge removes it)`
    terminal.err(`home stopped; ${left}.${data}\n`)
  }
  if (options.purge) {
    rmSync(dir, { recursive: true, force: true })
    terminal.err(`${where} removed\n`)
  }
  return 0
}

/** What becomes of the jobs that run; undefined if the user would rather not. */
async function settleJobs(context: CommandContext, options: DownOptions): Promise<string | undefined> {
  const { terminal } = context
  const { client } = await connect(context, {})
  try {
    const jobs = await listJobs(client)
    const active = jobs.filter((job) => !isFinished(job) && phaseOfJob(job) !== 'Paused')
    if (active.length === 0) return options.leaveRunning ? 'no job was running' : await stopLeftovers(client, jobs)
    const names = active.map((job) => job.metadata.name).join(', ')
    if (options.leaveRunning)
      return `${names} ${active.length > 1 ? 'go' : 'goes'} on without it until the next trainyard up`
    if (!options.force && !(await asksToStop(context, names))) return undefined
    terminal.err(`pausing ${names} …\n`)
    await Promise.all(active.map((job) => pauseJob(client, job)))
    await stopLeftovers(client, jobs)
    return `${names} ${active.length > 1 ? 'are' : 'is'} paused (trainyard up, then trainyard resume)`
  } finally {
    await client.close()
  }
}

async function asksToStop({ terminal }: CommandContext, names: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    terminal.err(
      `trainyard: ${names} still running\n  stop them          trainyard down --force\n  leave them running  trainyard down --leave-running\n`,
    )
    return false
  }
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await ask.question(`${names} still running; pause and stop? [y/N] `)
  ask.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** A job that is over may have replicas that run on, where its clean-up policy leaves them: nobody would end them later. */
async function stopLeftovers(client: KubeClient, jobs: readonly AnyJob[]): Promise<string> {
  const over = new Set(jobs.filter(isFinished).map(({ metadata }) => metadata.uid))
  const runsOn = ({ metadata, status }: Pod & KubeObject): boolean =>
    (metadata.ownerReferences ?? []).some(({ uid }) => over.has(uid)) &&
    status?.phase !== 'Succeeded' &&
    status?.phase !== 'Failed'
  const left = (await client.list(PODS)).items.filter(runsOn)
  if (left.length === 0) return 'nothing was running'
  await Promise.all(
    left.map(({ metadata: { namespace, name = '', uid } }) =>
      client.delete(PODS, { namespace, name }, { uid }).catch((error: unknown) => {
        // Gone by itself meanwhile.
        if (!isNotFound(error)) throw error
      }),
    ),
  )
  for (const start = Date.now(); Date.now() - start < PATIENCE; await sleep(PACE)) {
    if (!(await client.list(PODS)).items.some(runsOn)) break
  }
  return `${left.length === 1 ? '1 pod' : `${left.length} pods`} of finished jobs ${left.length === 1 ? 'was' : 'were'} stopped`
}

async function pauseJob(client: KubeClient, job: AnyJob): Promise<void> {
  const { namespace, name = '' } = job.metadata
  const resource = resourceOf(job)
  await client.patch(resource, { namespace, name }, { type: 'merge', body: pausePatch(job, true) })
  for (const start = Date.now(); Date.now() - start < PATIENCE; await sleep(PACE)) {
    const { items } = await client.list(PODS, { namespace, labelSelector: `trainyard.dev/job-uid=${job.metadata.uid}` })
    if (items.length === 0) return
  }
}

async function endProcess({ pid, birth }: HomeState): Promise<void> {
  process.kill(pid, 'SIGTERM')
  for (const start = Date.now(); birthOf(pid) === birth; await sleep(PACE)) {
    if (Date.now() - start > PATIENCE) process.kill(pid, 'SIGKILL')
  }
}
