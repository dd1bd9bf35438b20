// Tells those who wait what they wait for: in their pods' conditions, in their group's, and in an event. Words are worth
// less than deeds, so there are only so many a second, and the front of the line hears first.

import type { EventRecorder } from '../../kube/index.ts'
import { isConflict, isNotFound, type KubeClient, PODS } from '../../kube/index.ts'
import { type Instant, toTimestamp } from '../../lib/time.ts'
import type { Placement } from '../place/decide-placement.ts'
import type { PodFacts, Waiting } from '../place/snapshot.ts'
import type { View } from '../view.ts'
import { type Explanation, explainWait } from '../words/explain-wait.ts'

export interface TellerOptions {
  client: KubeClient
  view: View
  events: EventRecorder
  /** A group has something new to say in its status. */
  onGroup: (key: string) => void
  onError: (where: string, error: unknown) => void
}

interface Told extends Explanation {
  at: Instant
  hold: string
}

const BURST = 300
const PER_SECOND = 100
/** Positions and amounts change all the time; who reads them does not read that fast, and of thousands nobody reads all. */
const REFRESH = 3_000
const REFRESH_PER_POD = 20
/** Pods of a gang come one by one: that some are missing is news only after a while. */
const GRACE = 1_500
const SOON = new Set(['NotEnoughMembers', 'GroupNotFound'])
/** Waiting alone does not help against these. */
const WARNINGS = new Set([
  'GroupNotFound',
  'QueueNotFound',
  'QueueClosed',
  'NamespaceNotAllowed',
  'ShapeExceeded',
  'QuotaTooSmall',
  'ClusterTooSmall',
  'NoMatchingNode',
  'NoNode',
])

export class Teller {
  readonly #options: TellerOptions
  readonly #told = new Map<string, Told>()
  readonly #seen = new Map<string, Instant>()
  /** By uid: what stands in the pod's condition. */
  readonly #written = new Map<string, string>()
  #tokens = BURST
  #filledAt: Instant = 0

  constructor(options: TellerOptions) {
    this.#options = options
  }

  /** What a group was last told. */
  of(group: string): Explanation | undefined {
    return this.#told.get(group)
  }

  /** Returns when somebody is left to be told. */
  async tell({ waiting, ground }: Placement, now: Instant, signal: AbortSignal): Promise<Instant | undefined> {
    this.#fill(now)
    this.#forgetOthers(waiting)
    const writes: Array<Promise<void>> = []
    let later: Instant | undefined
    const refresh = REFRESH + REFRESH_PER_POD * waiting.reduce((sum, { pods }) => sum + pods.length, 0)
    for (const each of waiting) {
      const due = this.#dueAt(each, now, refresh)
      if (due > now || this.#tokens < each.pods.length) {
        later = Math.min(later ?? Number.POSITIVE_INFINITY, Math.max(due, now + 1_000))
        if (due <= now) break
        continue
      }
      const explanation = explainWait(ground, each)
      const news = this.#remember(each, explanation, now)
      const pods = each.pods.filter(({ uid }) => this.#written.get(uid) !== explanation.message)
      this.#tokens -= pods.length
      if (news) this.#announce(each, explanation)
      writes.push(...pods.map((pod) => this.#write(pod, explanation, signal)))
    }
    await Promise.all(writes)
    return later
  }

  #fill(now: Instant): void {
    const earned = ((now - this.#filledAt) / 1000) * PER_SECOND
    this.#tokens = Math.min(BURST, this.#tokens + Math.max(0, earned))
    this.#filledAt = now
  }

  #forgetOthers(waiting: readonly Waiting[]): void {
    const groups = new Set(waiting.map(({ group }) => group.key))
    for (const key of this.#told.keys()) {
      if (groups.has(key)) continue
      this.#told.delete(key)
      this.#options.onGroup(key)
    }
    for (const key of this.#seen.keys()) if (!groups.has(key)) this.#seen.delete(key)
    const pods = new Set(waiting.flatMap((each) => each.pods.map(({ uid }) => uid)))
    for (const uid of this.#written.keys()) if (!pods.has(uid)) this.#written.delete(uid)
  }

  #dueAt({ group, pods, hold }: Waiting, now: Instant, refresh: number): Instant {
    const told = this.#told.get(group.key)
    const since = this.#seen.get(group.key) ?? now
    this.#seen.set(group.key, since)
    if (told === undefined) return SOON.has(hold.reason) ? since + GRACE : now
    if (told.hold !== hold.reason || pods.some(({ uid }) => !this.#written.has(uid))) return now
    return told.at + refresh
  }

  /** Whether it is more than other words for the same. */
  #remember({ group, hold }: Waiting, explanation: Explanation, now: Instant): boolean {
    const before = this.#told.get(group.key)
    this.#told.set(group.key, { ...explanation, at: now, hold: hold.reason })
    if (before?.message !== explanation.message) this.#options.onGroup(group.key)
    return before?.reason !== explanation.reason
  }

  #announce({ group, pods }: Waiting, { reason, message }: Explanation): void {
    const { events, view } = this.#options
    const about = view.groups.cache.get(group.key) ?? (pods[0] && view.podOf(pods[0]))
    if (!about) return
    const type = WARNINGS.has(reason) ? 'Warning' : 'Normal'
    events.record(
      about,
      about.kind === 'Pod' ? { type: 'Warning', reason: 'FailedScheduling', message } : { type, reason, message },
    )
  }

  async #write(pod: PodFacts, { message }: Explanation, signal: AbortSignal): Promise<void> {
    const { namespace, name, uid } = pod
    this.#written.set(uid, message)
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime: toTimestamp(Math.floor(Date.now() / 1000) * 1000),
    }
    const body = { metadata: { uid }, status: { conditions: [condition] } }
    try {
      await this.#options.client.patch(
        PODS,
        { namespace, name },
        { type: 'strategic', body },
        { subresource: 'status', signal },
      )
    } catch (error) {
      this.#written.delete(uid)
      if (isNotFound(error) || isConflict(error) || signal.aborted) return
      this.#options.onError(`telling pod ${name} what it waits for`, error)
    }
  }
}
