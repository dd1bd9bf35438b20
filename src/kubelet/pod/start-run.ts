import { join } from 'node:path'
import type { Container } from '../../../gen/kubernetes-types.ts'
import { jobOf } from '../home-directory.ts'
import { NotYet } from '../interfaces.ts'
import { limitGroups } from '../limits/limit-groups.ts'
import { limitProcesses } from '../limits/process-limit.ts'
import { peerOf, readMarks } from '../peers/marks.ts'
import { CannotStart } from '../process/find-program.ts'
import { arrange } from '../process/launch.ts'
import { prepareRun, startRun } from '../process/run.ts'
import { buildLaunch } from './build-launch.ts'
import { recordFailure, recordStart } from './container-runs.ts'
import type { ContainerRole } from './decide-pod.ts'
import type { PodSurroundings } from './pod-container.ts'
import { wordsFor } from './start-problem.ts'

export interface NextRun {
  spec: Container
  role: ContainerRole
  directory: string
  number: number
  logPath: string
  /** Its supervisor has ended. */
  exited(): void
}

/** Starts a run. What cannot be started for good is recorded as a run that failed; what may pass comes back. */
export async function startNextRun(around: PodSurroundings, next: NextRun): Promise<NotYet | undefined> {
  try {
    await launch(around, next)
    return undefined
  } catch (error) {
    const problem = error instanceof NotYet || error instanceof CannotStart ? error : wordsFor(error)
    if (problem instanceof NotYet) return problem
    prepareRun(next.directory)
    recordFailure(next.directory, problem.exitCode, problem.message, Date.now())
    around.event({ type: 'Warning', reason: 'Failed', message: `cannot start: ${problem.message}` })
    return undefined
  }
}

async function launch(
  around: PodSurroundings,
  { spec, role, directory, number, logPath, exited }: NextRun,
): Promise<void> {
  const { context, pod } = around
  const start = await buildLaunch(context, pod(), spec, around.directory, around.note)
  const limits = spec.resources?.limits ?? {}
  const groups = context.cgroups?.make(pod().metadata?.uid ?? '', spec.name, number, Object.keys(limits)) ?? {}
  const loose = limitGroups(groups, limits)
  if (context.processLimit > 0) limitProcesses(groups, context.processLimit)
  if (loose.length > 0) {
    const message = `limits are not enforced on this machine: ${loose.join(', ')}`
    around.note({ type: 'Normal', reason: 'LimitsNotEnforced', message })
  }
  if (role === 'main') await releasePorts(around)
  prepareRun(directory)
  recordStart(directory, { ...start, groups })
  const cgroupProcs = Object.values(groups).map((group: string) => join(group, 'cgroup.procs'))
  await startRun({ directory, ...arrange(start, start.argv), logPath, cgroupProcs }, exited)
}

/** From here on the ports of this replica are its program's. */
async function releasePorts({ context, pod }: PodSurroundings): Promise<void> {
  const marks = readMarks(pod())
  const peer = marks && peerOf(pod(), marks)
  if (peer) await context.ports.release(jobOf(pod()), peer)
}
