// What the API's log, exec and port-forward subresources ask of a pod that runs here.
import type { Readable, Writable } from 'node:stream'
import { type LogQuery, readLog } from './logs/read-log.ts'
import type { PodContainer } from './pod/pod-container.ts'
import type { PodWorker } from './pod/pod-worker.ts'
import { killGroup, spawnBeside, spawnOnTerminal } from './process/exec.ts'
import { exitCodeOf } from './process/exit-meaning.ts'
import { CannotStart } from './process/find-program.ts'

/** Something was asked for that cannot be had; `code` is the HTTP status that says so. */
export class AccessError extends Error {
  readonly code: 400 | 404
  constructor(message: string, code: 400 | 404) {
    super(message)
    this.name = 'AccessError'
    this.code = code
  }
}

export interface PodLogQuery extends LogQuery {
  container?: string
  /** The container's run before its current one. */
  previous?: boolean
}

export interface Execution {
  stdin: Writable
  stdout: Readable
  /** Absent on a terminal, which has one stream. */
  stderr?: Readable
  /** Changes the terminal's size. */
  resize(columns: number, rows: number): void
  exitCode: Promise<number>
  kill(): void
}

export function openPodLog(worker: PodWorker, query: PodLogQuery, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const container = findContainer(worker, query.container)
  const { name } = container.spec
  const pod = worker.pod.metadata?.name
  const last = container.runs.length
  if (query.previous && last < 2) {
    throw new AccessError(
      `previous terminated container ${JSON.stringify(name)} in pod ${JSON.stringify(pod)} not found`,
      400,
    )
  }
  if (last === 0) {
    const reason = container.waiting?.reason ?? 'ContainerCreating'
    throw new AccessError(
      `container ${JSON.stringify(name)} in pod ${JSON.stringify(pod)} is waiting to start: ${reason}`,
      400,
    )
  }
  const run = query.previous ? last - 1 : last
  const isOver = () => run < container.runs.length || container.view?.kind === 'ended' || worker.isClosed
  return readLog(container.logPath(run), query, isOver, signal)
}

/** Starts a command in a running container's environment and directory. */
export function execInPod(
  worker: PodWorker,
  container: string | undefined,
  command: string[],
  terminal = false,
): Execution {
  const found = findContainer(worker, container)
  const start = found.startOfRun()
  // Looked at anew: what we last saw may be older than what the client has heard.
  if (!start || found.look().current !== 'running') {
    throw new AccessError(`container ${JSON.stringify(found.spec.name)} is not running`, 400)
  }
  try {
    const child = terminal ? spawnOnTerminal(start, command) : spawnBeside(start, command, 'pipe')
    const exitCode = new Promise<number>((resolve) => {
      child.once('error', () => resolve(126))
      child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)))
    })
    const size = child.stdio[3] as Writable | undefined
    for (const stream of [child.stdin, size]) stream?.on('error', () => {})
    return {
      stdin: child.stdin!,
      stdout: child.stdout!,
      ...(!terminal && { stderr: child.stderr! }),
      resize: (columns, rows) => void size?.write(`${Math.trunc(columns)} ${Math.trunc(rows)}\n`),
      exitCode,
      kill: () => killGroup(child),
    }
  } catch (error) {
    if (error instanceof CannotStart) throw new AccessError(`cannot start: ${error.message}`, 400)
    throw error
  }
}

function findContainer(worker: PodWorker, name: string | undefined): PodContainer {
  const pod = worker.pod.metadata?.name
  const mains = worker.containers.filter(({ role }) => role === 'main')
  const wanted = name ?? worker.pod.metadata?.annotations?.['kubectl.kubernetes.io/default-container']
  if (wanted === undefined && mains.length === 1) return mains[0]!
  const names = worker.containers.map(({ spec }) => spec.name)
  if (wanted === undefined) {
    throw new AccessError(`a container name must be specified for pod ${pod}, choose one of: [${names.join(' ')}]`, 400)
  }
  const found = worker.containers.find(({ spec }) => spec.name === wanted)
  if (!found) throw new AccessError(`container ${wanted} is not valid for pod ${pod}`, 400)
  return found
}
