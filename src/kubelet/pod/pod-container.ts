// One container of one pod: its runs, its probes, its stopping.
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import type { Container, Pod } from '../../../gen/kubernetes-types.ts'
import type { Instant } from '../../lib/time.ts'
import type { KubeletContext } from '../context.ts'
import type { NotYet, PodEvent } from '../interfaces.ts'
import { ranOutOfMemory } from '../limits/limit-groups.ts'
import { ranOutOfProcesses } from '../limits/process-limit.ts'
import { findLocalPort } from '../peers/local-port.ts'
import { execBeside } from '../process/exec.ts'
import { voidRun } from '../process/run.ts'
import { killTree, type Tree } from '../process/tree.ts'
import { ContainerProbes } from './container-probes.ts'
import {
  listRuns,
  type RunView,
  readStart,
  recordFailure,
  recordOutOfMemory,
  settleRuns,
  viewRun,
} from './container-runs.ts'
import { ContainerStop, cannotKill } from './container-stop.ts'
import type { ContainerRole, ContainerView } from './decide-pod.ts'
import type { ProbeTarget } from './probe.ts'
import { StartHook } from './start-hook.ts'
import { startNextRun } from './start-run.ts'

/** What a container needs of its pod. */
export interface PodSurroundings {
  context: KubeletContext
  directory: string
  logDirectory: string
  pod(): Pod
  wake(): void
  event(event: PodEvent): void
  /** An event that is said once for all pods of a job. */
  note(event: PodEvent): void
}

const cannotBegin = 128
const adoptedLook = 1000
const firstRetry = 250
const longestRetry = 5000

export class PodContainer {
  readonly spec: Container
  readonly role: ContainerRole
  /** Why it has not been started though it should. */
  waiting: { reason: string; message: string } | undefined
  /** When a start that could not be made is tried again. */
  retryAt: Instant | undefined
  probes: ContainerProbes | undefined
  readonly #around: PodSurroundings
  #runs: string[]
  #view: RunView | undefined
  #retries = 0
  /** The run whose leftovers have been killed. */
  #swept = 0
  /** Supervisors seen alive by this home: only their sessions can be trusted to be theirs. */
  readonly #seen = new Set<number>()
  /** The run whose supervisor this home saw end. */
  #exited: string | undefined
  #adoption: { watcher?: FSWatcher; timer: NodeJS.Timeout } | undefined
  #stop: ContainerStop | undefined
  /** Of a run that this home started: nobody knows how far a former one came. */
  #hook: StartHook | undefined

  constructor(spec: Container, role: ContainerRole, around: PodSurroundings) {
    this.spec = spec
    this.role = role
    this.#around = around
    settleRuns(this.directory)
    this.#runs = listRuns(this.directory)
    this.look()
    if (this.#view?.kind === 'running') this.#adopt()
  }

  get directory(): string {
    return join(this.#around.directory, 'containers', this.spec.name)
  }

  get runs(): readonly string[] {
    return this.#runs
  }

  get view(): RunView | undefined {
    return this.#view
  }

  /** Its program runs, but its postStart hook has not been passed. */
  get isHeld(): boolean {
    return this.#hook !== undefined && !this.#hook.isOver
  }

  logPath(run = this.#runs.length): string {
    return join(this.#around.logDirectory, run <= 1 ? `${this.spec.name}.log` : `${this.spec.name}.${run}.log`)
  }

  look(): ContainerView {
    const run = this.#runs.at(-1)
    this.#view = run === undefined ? undefined : this.#viewOf(run)
    const view = this.#view
    if (view?.kind === 'running') this.#tend(view)
    if (view?.kind === 'ended') this.#letGo()
    return {
      name: this.spec.name,
      role: this.role,
      runs: this.#runs.length,
      current: view?.kind ?? 'none',
      ...(view?.kind === 'ended' && { end: view.end }),
      started: view?.kind === 'running' && !this.isHeld && (this.probes?.started ?? true),
    }
  }

  /** Starts the next run, or says why not: for now, or for good. */
  async start(): Promise<void> {
    const number = this.#runs.length + 1
    const run = join(this.directory, `run-${number}`)
    const exited = () => {
      this.#exited = run
      this.#around.wake()
    }
    const { spec, role } = this
    const logPath = this.logPath(number)
    const problem = await startNextRun(this.#around, { spec, role, directory: run, number, logPath, exited })
    if (problem) settleRuns(this.directory)
    this.#runs = listRuns(this.directory)
    const postStart = spec.lifecycle?.postStart
    if (!problem && postStart) this.#hook = new StartHook(spec, postStart)
    this.#waitFor(problem)
  }

  /** Ends the container by its deadline at the latest; asking again can only bring the deadline forward. */
  stop(deadline: Instant): void {
    const view = this.#view
    if (view?.kind !== 'running') return
    this.#stop ??= new ContainerStop(this.spec, {
      tree: () => this.#tree(),
      target: this.#target(),
      event: this.#around.event,
      wake: this.#around.wake,
    })
    this.#stop.by(deadline)
  }

  /** Kills what an ended run left behind, as the end of a container's first process ends all others in it. */
  async sweep(): Promise<void> {
    if (this.#view?.kind !== 'ended' || this.#swept === this.#runs.length) return
    const left = await killTree(this.#tree())
    if (left.length > 0) this.#around.event(cannotKill(this.spec.name, left))
    this.#swept = this.#runs.length
  }

  exec(command: string[], timeoutMs: number): Promise<number> {
    const start = this.startOfRun()
    return start ? execBeside(start, command, timeoutMs) : Promise.resolve(127)
  }

  startOfRun() {
    const run = this.#runs.at(-1)
    return run === undefined ? undefined : readStart(run)
  }

  /** This home leaves; the processes stay. */
  close(): void {
    this.#hook?.cancel()
    this.probes?.stop()
    this.#stop?.cancel()
    this.#abandonAdoption()
  }

  #viewOf(run: string): RunView {
    const view = viewRun(run)
    // A supervisor that ended before it began would be waited for for ever.
    if (view.kind !== 'starting' || this.#exited !== run || !voidRun(run)) return view
    recordFailure(run, cannotBegin, 'the shell that was to start it ended before it did', Date.now())
    return viewRun(run)
  }

  #tree(): Tree {
    const supervisor = this.#view && 'supervisor' in this.#view ? this.#view.supervisor : 0
    const supervisors = this.#seen.has(supervisor) ? [supervisor] : []
    const cgroup = this.startOfRun()?.groups?.unified
    return { podUid: this.#around.pod().metadata?.uid ?? '', container: this.spec.name, supervisors, cgroup }
  }

  #target(): ProbeTarget {
    const { context, pod } = this.#around
    return {
      exec: (command, timeout) => this.exec(command, timeout),
      portOf: (port) => findLocalPort(pod(), context.ports, port),
    }
  }

  #tend({ startedAt, supervisor }: { startedAt: Instant; supervisor: number }): void {
    if (supervisor > 0) this.#seen.add(supervisor)
    const { context, pod, event, wake } = this.#around
    context.logs.follow(this.logPath())
    this.#hook?.begin(this.#target(), (problem) => {
      if (problem !== undefined) {
        event({ type: 'Warning', reason: 'FailedPostStartHook', message: `PostStartHook ${problem}` })
        this.stop(Date.now() + (pod().spec?.terminationGracePeriodSeconds ?? 30) * 1000)
      }
      wake()
    })
    if (this.isHeld) return
    this.probes ??= new ContainerProbes(this.spec, startedAt, this.#target(), {
      changed: wake,
      failed: (kind, problem) =>
        event({ type: 'Warning', reason: 'Unhealthy', message: `${kind} probe failed: ${problem}` }),
      dead: (kind) => {
        event({
          type: 'Normal',
          reason: 'Killing',
          message: `Container ${this.spec.name} failed ${kind.toLowerCase()} probe`,
        })
        const { startupProbe, livenessProbe } = this.spec
        const probe = kind === 'Startup' ? startupProbe : livenessProbe
        const grace = probe?.terminationGracePeriodSeconds ?? pod().spec?.terminationGracePeriodSeconds ?? 30
        this.stop(Date.now() + grace * 1000)
      },
    })
  }

  #letGo(): void {
    this.#hook?.cancel()
    this.#hook = undefined
    this.probes?.stop()
    this.probes = undefined
    this.#stop?.cancel()
    this.#stop = undefined
    this.#abandonAdoption()
    this.#around.context.logs.finish(this.logPath())
    const run = this.#runs.at(-1)!
    const groups = readStart(run)?.groups
    if (groups && ranOutOfMemory(groups)) {
      recordOutOfMemory(run)
      this.#view = viewRun(run)
    }
    if (groups && ranOutOfProcesses(groups)) {
      const message = `was refused more processes and threads than the ${this.#around.context.processLimit} a pod may have here`
      this.#around.event({ type: 'Warning', reason: 'ProcessLimitReached', message })
    }
  }

  /** A run of a former home: nobody tells us of its end, so its directory is watched. */
  #adopt(): void {
    const { wake } = this.#around
    let watcher: FSWatcher | undefined
    try {
      watcher = watch(this.#runs.at(-1)!, { persistent: false }, wake)
      watcher.on('error', () => watcher?.close())
    } catch {
      // The slow look remains.
    }
    this.#adoption = { watcher, timer: setInterval(wake, adoptedLook) }
  }

  #abandonAdoption(): void {
    this.#adoption?.watcher?.close()
    clearInterval(this.#adoption?.timer)
    this.#adoption = undefined
  }

  #waitFor(problem: NotYet | undefined): void {
    if (!problem) {
      this.waiting = undefined
      this.#retries = 0
      return
    }
    const { reason, message } = problem
    const isMount = reason === 'FailedMount'
    this.retryAt = Date.now() + Math.min(firstRetry * 2 ** this.#retries++, longestRetry)
    if (this.waiting?.message !== message) {
      this.#around.event({ type: 'Warning', reason: isMount ? 'FailedMount' : 'Failed', message })
    }
    this.waiting = { reason: isMount ? 'ContainerCreating' : reason, message }
  }
}
