// Keeps the statuses of PodGroups and Queues true: at once when a condition turns, counts at most once a second.
import type { Queue, QueueStatus, SchedulingCondition } from '../../api/queue/queue-object.ts'
import {
  type EventRecorder,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubeObject,
  type Resource,
  WorkQueue,
} from '../../kube/index.ts'
import { sameJson } from '../../lib/json.ts'
import type { Instant } from '../../lib/time.ts'
import { POD_GROUPS, QUEUES } from '../facts/resources.ts'
import type { View } from '../view.ts'
import type { Explanation } from '../words/explain-wait.ts'
import { buildGroupStatus } from './group-status.ts'
import { buildQueueStatus } from './queue-status.ts'

export interface StatusKeeperOptions {
  client: KubeClient
  view: View
  events: EventRecorder
  waits: (group: string) => Explanation | undefined
  onError: (where: string, error: unknown) => void
}

const PACE = 1_000

interface WithStatus extends KubeObject {
  status?: { conditions?: SchedulingCondition[] }
}

export class StatusKeeper {
  readonly #options: StatusKeeperOptions
  readonly #queue: WorkQueue
  readonly #writtenAt = new Map<string, Instant>()
  /** By queue: a millisecond for each of its groups lies between two counts, so that counting does not take up all the time. */
  readonly #countsAgainAt = new Map<string, Instant>()

  constructor(options: StatusKeeperOptions) {
    this.#options = options
    this.#queue = new WorkQueue({
      handle: (key, signal) => this.#keep(key, signal),
      workers: 4,
      onError: (key, error) => options.onError(`writing the status of ${key}`, error),
    })
  }

  group(key: string): void {
    this.#queue.add(`group ${key}`)
  }

  queue(name: string): void {
    this.#queue.add(`queue ${name}`)
  }

  stop(): Promise<void> {
    return this.#queue.stop()
  }

  async #keep(key: string, signal: AbortSignal): Promise<void> {
    const name = key.slice(key.indexOf(' ') + 1)
    if (key.startsWith('group ')) await this.#keepGroup(key, name, signal)
    else await this.#keepQueues(key, name, signal)
  }

  async #keepGroup(key: string, name: string, signal: AbortSignal): Promise<void> {
    const { view, waits } = this.#options
    const group = view.groups.cache.get(name)
    if (!group || group.metadata.deletionTimestamp) {
      this.#writtenAt.delete(key)
      this.#queue.forget(key)
      return
    }
    const status = buildGroupStatus(group, view.podsOfGroup(name), waits(name), Date.now())
    if (status) await this.#write(key, POD_GROUPS, group, status, (object) => view.groups.cache.merge(object), signal)
  }

  async #keepQueues(key: string, name: string, signal: AbortSignal): Promise<void> {
    const { view } = this.#options
    const mayAt = this.#countsAgainAt.get(name) ?? 0
    if (mayAt > Date.now()) {
      this.#queue.schedule(key, mayAt)
      return
    }
    const counts = view.pickedQueues().get(name)
    if (!counts) return
    const pods = view.podsOfQueue(name)
    const groups = view.groups.cache.by('queue', name).length
    this.#countsAgainAt.set(name, Date.now() + Math.min(PACE, groups))
    for (const queue of view.queues.cache.list().filter(({ metadata }) => metadata.name === name)) {
      const status = buildQueueStatus(queue, counts, groups, pods, Date.now())
      this.#tellPressure(queue, status)
      await this.#write(key, QUEUES, queue, status, (object) => view.queues.cache.merge(object), signal)
    }
  }

  /** Who sets a quota below what is in use is told so; that a queue is well used is no news. */
  #tellPressure(queue: Queue, status: QueueStatus): void {
    const find = ({ conditions = [] }: QueueStatus) => conditions.find(({ type }) => type === 'ResourcePressure')
    const [before, now] = [find(queue.status ?? {}), find(status)]
    if (now?.status !== 'True' || now.message === before?.message || !now.message.includes('more than the quota'))
      return
    this.#options.events.record(queue, { type: 'Warning', reason: 'QuotaBelowUse', message: now.message })
  }

  async #write<T extends WithStatus>(
    key: string,
    resource: Resource<T>,
    object: T,
    status: NonNullable<T['status']>,
    merge: (written: T) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (sameJson(status, object.status ?? {})) return
    const turned = !sameJson(turnsOf(status.conditions), turnsOf(object.status?.conditions))
    const mayAt = (this.#writtenAt.get(key) ?? 0) + PACE
    if (!turned && mayAt > Date.now()) {
      this.#queue.schedule(key, mayAt)
      return
    }
    this.#writtenAt.set(key, Date.now())
    try {
      // With the version it was made from: whoever was faster is looked at first.
      merge(await this.#options.client.updateStatus(resource, { ...object, status }, { signal }))
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
    }
  }
}

function turnsOf(conditions: readonly SchedulingCondition[] = []): unknown {
  return conditions.map(({ type, status, reason }) => [type, status, reason])
}
