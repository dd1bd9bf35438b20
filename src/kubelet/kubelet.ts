// The door of the kubelet: runs the pods of one node as process trees on this machine.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { KubeletContext } from './context.ts'
import { buildBaseEnvironment } from './environment/base-environment.ts'
import { bootOf, HomeDirectory, jobOf, type PodRecord } from './home-directory.ts'
import type { ObjectReader, PodEvent, PodSource, PodStatusSink } from './interfaces.ts'
import { openCgroups } from './limits/cgroups.ts'
import { usualProcessLimit } from './limits/process-limit.ts'
import { LogClock } from './logs/log-clock.ts'
import { PortBook } from './peers/port-book.ts'
import { buildLostStatus } from './pod/build-status.ts'
import { usualRestartDelay } from './pod/decide-pod.ts'
import { describeNotHonoured } from './pod/not-honoured.ts'
import { PodWorker } from './pod/pod-worker.ts'
import { readProcessesSoon } from './process/process-table.ts'
import { killTree } from './process/tree.ts'
import { findNamespaceTools } from './volumes/namespace.ts'

export interface KubeletOptions {
  /** Where pods, logs, ports and claims are kept; one kubelet at a time. */
  directory: string
  source: PodSource
  sink: PodStatusSink
  objects: ObjectReader
  baseEnvironment?: Record<string, string>
  /** Hears of what went wrong and is tried again. */
  onError?: (where: string, error: unknown) => void
  /** Whether to use control groups where they can be had; yes unless said otherwise. */
  cgroups?: boolean
  /** How many processes and threads a pod may have; 0: as many as it likes. */
  processLimit?: number
  /** Whether to mount volumes where that can be done; yes unless said otherwise. */
  mounts?: boolean
  /** Milliseconds before the first restart of a container in its pod; each further one waits longer. */
  restartDelay?: number
}

const retryTakingOn = 1000

export class Kubelet {
  readonly context: KubeletContext
  readonly #workers = new Map<string, PodWorker>()
  /** Pods of a former home that the API has not spoken of yet. */
  readonly #found: Map<string, { directory: string; record: PodRecord }>
  readonly #noted = new Set<string>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  readonly #stopWatching: () => void

  constructor(options: KubeletOptions) {
    const home = new HomeDirectory(options.directory)
    this.context = {
      home,
      sink: options.sink,
      objects: options.objects,
      onError: options.onError ?? (() => {}),
      ports: new PortBook(home.ports),
      logs: new LogClock(),
      cgroups: options.cgroups === false ? undefined : openCgroups(home.root),
      processLimit: options.processLimit ?? usualProcessLimit(),
      baseEnvironment: options.baseEnvironment ?? buildBaseEnvironment(),
      restartDelay: options.restartDelay ?? usualRestartDelay,
      namespaceTools: options.mounts === false ? () => undefined : once(findNamespaceTools),
    }
    this.#found = new Map(home.readPods().map((found) => [found.record.pod.metadata!.uid!, found]))
    this.#stopWatching = options.source.watchPods({
      present: (pod) => this.#present(pod),
      gone: (uid) => this.#gone(uid),
      synced: () => this.#dropUnknown(),
    })
  }

  /** The pod of this uid as it runs here. */
  workerOf(uid: string): PodWorker | undefined {
    return this.#workers.get(uid)
  }

  /** A job was deleted: its ports are free again, and its logs go. */
  async forgetJob(uid: string): Promise<void> {
    await this.context.ports.forget(uid)
    rmSync(join(this.context.home.logs, uid), { recursive: true, force: true })
    for (const key of this.#noted) if (key.startsWith(`${uid}|`)) this.#noted.delete(key)
  }

  /** At the start: whatever is kept for a job that was deleted while no home ran goes too. */
  async retainJobs(uids: ReadonlySet<string>): Promise<void> {
    const running = [...this.#workers.values()].map(({ pod }) => jobOf(pod))
    const kept = [...this.context.ports.jobs(), ...readdirSync(this.context.home.logs)]
    for (const uid of new Set(kept)) if (!uids.has(uid) && !running.includes(uid)) await this.forgetJob(uid)
  }

  /** Stops looking after the pods; their processes go on, and the next kubelet takes them over. */
  async close(): Promise<void> {
    this.#stopWatching()
    for (const timer of this.#retries.values()) clearTimeout(timer)
    for (const worker of this.#workers.values()) worker.close()
    this.context.logs.close()
    this.context.cgroups?.close()
    await this.context.ports.close()
  }

  #present(pod: Pod): void {
    const uid = pod.metadata?.uid
    if (uid === undefined) return
    clearTimeout(this.#retries.get(uid))
    this.#retries.delete(uid)
    try {
      const found = this.#found.get(uid)
      const worker = this.#workers.get(uid) ?? (found && this.#tend(found.record, found.directory))
      this.#found.delete(uid)
      if (worker) worker.update(pod)
      else this.#takeOn(pod)
    } catch (error) {
      this.context.onError(`taking on pod ${pod.metadata?.name}`, error)
      const message = 'its directory cannot be made; it is tried again'
      this.context.sink.recordEvent(pod, { type: 'Warning', reason: 'FailedCreatePodSandBox', message })
      this.#retries.set(
        uid,
        setTimeout(() => this.#present(pod), retryTakingOn),
      )
    }
  }

  #takeOn(pod: Pod): void {
    const { sink, home, namespaceTools } = this.context
    const { phase } = pod.status ?? {}
    const lost = buildLostStatus(pod, Date.now())
    if (pod.metadata?.deletionTimestamp) this.#tryAgain(pod, sink.removePod(pod))
    else if (lost && phase !== 'Succeeded' && phase !== 'Failed') this.#tryAgain(pod, sink.writeStatus(pod, lost))
    if (pod.metadata?.deletionTimestamp || lost || phase === 'Succeeded' || phase === 'Failed') return
    const record: PodRecord = { pod, acceptedAt: Date.now(), boot: bootOf() }
    const worker = this.#tend(record, home.takeOn(record))
    for (const note of describeNotHonoured(pod, () => namespaceTools() !== undefined, process.getuid?.()))
      this.#note(pod, note)
    worker.wake()
  }

  #tryAgain(pod: Pod, attempt: Promise<void>): void {
    attempt.catch((error) => {
      this.context.onError(`telling the API of pod ${pod.metadata?.name}`, error)
      this.#retries.set(
        pod.metadata!.uid!,
        setTimeout(() => this.#present(pod), retryTakingOn),
      )
    })
  }

  #tend(record: PodRecord, directory: string): PodWorker {
    const { pod } = record
    const uid = pod.metadata!.uid!
    const logDirectory = this.context.home.logDirectory(pod, record.acceptedAt)
    const finished = () => {
      this.#workers.delete(uid)
      // Nobody else will tell us when the ports and logs of a pod without a job are of no more use.
      if (jobOf(pod) === uid) void this.forgetJob(uid)
    }
    const worker = new PodWorker(
      this.context,
      record,
      directory,
      logDirectory,
      (event) => this.#note(pod, event),
      finished,
    )
    this.#workers.set(uid, worker)
    return worker
  }

  #gone(uid: string): void {
    clearTimeout(this.#retries.get(uid))
    this.#retries.delete(uid)
    this.#workers.get(uid)?.forget()
  }

  #dropUnknown(): void {
    for (const { record, directory } of this.#found.values()) this.#tend(record, directory).forget()
    this.#found.clear()
    void this.#killOrphans()
  }

  /** Processes of this home whose pod's directory somebody has removed. */
  async #killOrphans(): Promise<void> {
    const mine = (await readProcessesSoon()).filter(({ home }) => home === this.context.home.root)
    const uids = new Set(mine.map(({ podUid }) => podUid!))
    for (const podUid of uids) if (!this.#workers.has(podUid)) await killTree({ podUid, supervisors: [] })
  }

  /** Said once for all pods of a job: they are alike, and events cost. */
  #note(pod: Pod, event: PodEvent): void {
    const key = `${jobOf(pod)}|${event.reason}|${event.message}`
    if (this.#noted.has(key)) return
    this.#noted.add(key)
    this.context.sink.recordEvent(pod, event)
  }
}

function once<T>(find: () => T): () => T {
  let found: { value: T } | undefined
  return () => {
    found ??= { value: find() }
    return found.value
  }
}
