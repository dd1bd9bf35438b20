import type { Lease } from '../../gen/kubernetes-types.ts'
import { delayOf, pause } from './backoff.ts'
import type { KubeClient } from './client.ts'
import { isAlreadyExists, isConflict, isNotFound } from './errors.ts'
import { type KubeObject, LEASES } from './resource.ts'

export interface ElectionOptions {
  client: Pick<KubeClient, 'get' | 'create' | 'update' | 'watch'>
  namespace: string
  name: string
  /** Unique among the candidates: a pod's name and uid. */
  identity: string
  /** A leader that has not renewed for this long is taken for dead, in seconds. */
  leaseSeconds?: number
  /** Called each time we become leader; the signal aborts when we no longer are. `holds` tells whether the Lease is ours
   * at this very moment: after the process was halted it knows before the signal does. */
  lead: (signal: AbortSignal, holds: () => boolean) => Promise<void>
  onError?: (error: unknown) => void
}

type HeldLease = Lease & KubeObject

/**
 * Leads while the Lease is ours, stands by while it is another's, until `signal` aborts; then gives it back, so that
 * the next one takes over at once. The Lease saves work; it protects nothing: every write is conditional anyway.
 */
export async function standForElection(options: ElectionOptions, signal: AbortSignal): Promise<void> {
  const candidate = new Candidate(options)
  while (!signal.aborted) {
    const lease = await candidate.acquire(signal)
    if (lease === undefined) return
    const term = new AbortController()
    const over = AbortSignal.any([signal, term.signal])
    const leading = options.lead(over, () => !over.aborted && candidate.timeLeft > 0).finally(() => term.abort())
    await candidate.hold(lease, over)
    term.abort()
    try {
      await leading
    } finally {
      await candidate.release()
    }
  }
}

class Candidate {
  readonly #options: ElectionOptions
  readonly #lease: number
  /** The other holder's lease as last seen, and when, by our own clock: clocks of two machines differ. */
  #seen: { version: string; at: number } | undefined
  #failures = 0
  #renewedAt = Number.NEGATIVE_INFINITY

  constructor(options: ElectionOptions) {
    this.#options = options
    this.#lease = (options.leaseSeconds ?? 15) * 1000
  }

  /** How long we may still lead, in milliseconds: well before another may start we have to stop. */
  get timeLeft(): number {
    return (this.#lease * 2) / 3 - (performance.now() - this.#renewedAt)
  }

  /** Resolves with the Lease once it is ours; undefined when aborted. */
  async acquire(signal: AbortSignal): Promise<HeldLease | undefined> {
    while (!signal.aborted) {
      try {
        const began = performance.now()
        const taken = await this.#tryToTake(signal)
        this.#failures = 0
        if (typeof taken === 'object') {
          this.#renewedAt = began
          return taken
        }
        await this.#waitForChange(taken, signal)
      } catch (error) {
        if (signal.aborted) return undefined
        const lostRace = isConflict(error) || isAlreadyExists(error)
        if (!lostRace) this.#options.onError?.(error)
        await pause(delayOf({ first: 100, most: this.#lease / 3 }, ++this.#failures), signal)
      }
    }
    return undefined
  }

  /** The Lease if it could be taken, else how many milliseconds its holder has left. */
  async #tryToTake(signal: AbortSignal): Promise<HeldLease | number> {
    const { client, namespace, name, identity } = this.#options
    let lease: HeldLease
    try {
      lease = await client.get(LEASES, { namespace, name }, signal)
    } catch (error) {
      if (!isNotFound(error)) throw error
      const metadata = { namespace, name }
      const spec = { ...this.#renewed(), acquireTime: microTime(), leaseTransitions: 0 }
      return client.create(LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec }, { signal })
    }
    const holder = lease.spec?.holderIdentity
    const left = holder && holder !== identity ? this.#holdersTimeLeft(lease) : 0
    if (left > 0) return left
    const spec = {
      ...this.#renewed(),
      acquireTime: microTime(),
      leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + (holder === identity ? 0 : 1),
    }
    return client.update(LEASES, { ...lease, spec }, { signal })
  }

  #holdersTimeLeft(lease: HeldLease): number {
    const version = lease.metadata.resourceVersion ?? ''
    const now = performance.now()
    if (this.#seen?.version !== version) this.#seen = { version, at: now }
    return (lease.spec?.leaseDurationSeconds ?? 15) * 1000 - (now - this.#seen.at)
  }

  /** Waits until the holder's time is up, or the Lease is given back or deleted before. */
  async #waitForChange(left: number, signal: AbortSignal): Promise<void> {
    const { client, namespace, name } = this.#options
    const up = new AbortController()
    const over = AbortSignal.any([signal, up.signal])
    const margin = 50
    let timer = setTimeout(() => up.abort(), left + margin)
    try {
      const fieldSelector = `metadata.name=${name}`
      for await (const { type, object } of client.watch(LEASES, { namespace, fieldSelector, signal: over })) {
        if (type === 'DELETED' || !object.spec?.holderIdentity) return
        clearTimeout(timer)
        timer = setTimeout(() => up.abort(), this.#holdersTimeLeft(object) + margin)
      }
      await pause(delayOf({ first: 500, most: 500 }, 1), over)
    } catch (error) {
      if (!over.aborted) throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Renews until aborted, or until the Lease is another's or could not be renewed in time. */
  async hold(lease: HeldLease, signal: AbortSignal): Promise<void> {
    const { client, namespace, name, identity } = this.#options
    let current: HeldLease | undefined = lease
    for (let failures = 0; !signal.aborted; ) {
      await pause(failures === 0 ? this.#lease / 5 : delayOf({ first: 200, most: 2000 }, failures), signal)
      if (signal.aborted) return
      const left = this.timeLeft
      if (left <= 0) return
      const attempt = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(left))])
      try {
        const began = performance.now()
        current ??= await client.get(LEASES, { namespace, name }, attempt)
        if (current.spec?.holderIdentity !== identity) return
        current = await client.update(
          LEASES,
          { ...current, spec: { ...current.spec, ...this.#renewed() } },
          { signal: attempt },
        )
        this.#renewedAt = began
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        if (isNotFound(error)) return
        failures++
        current = undefined
        if (!isConflict(error)) this.#options.onError?.(error)
      }
    }
  }

  async release(): Promise<void> {
    const { client, namespace, name, identity } = this.#options
    const signal = AbortSignal.timeout(5_000)
    try {
      const lease = await client.get(LEASES, { namespace, name }, signal)
      if (lease.spec?.holderIdentity !== identity) return
      const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime() }
      await client.update(LEASES, { ...lease, spec }, { signal })
    } catch (error) {
      // It then simply runs out.
      this.#options.onError?.(error)
    }
  }

  #renewed() {
    const { identity } = this.#options
    return { holderIdentity: identity, leaseDurationSeconds: Math.ceil(this.#lease / 1000), renewTime: microTime() }
  }
}

function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z')
}
