// Ends what has been in a queue for longer than the queue allows: a job is paused, so that its owner may resume it; a pod
// without a job is deleted.
import { kinds } from '../../api/kinds.ts'
import { pausePatch } from '../../api/pause-patch.ts'
import {
  type EventRecorder,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubeObject,
  PODS,
  type Resource,
} from '../../kube/index.ts'
import type { PodFacts } from '../place/snapshot.ts'
import type { View } from '../view.ts'

export interface DurationKeeperOptions {
  client: KubeClient
  view: View
  events: EventRecorder
}

export class DurationKeeper {
  readonly #options: DurationKeeperOptions
  /** Pods that have been seen to; by uid, as long as they are there. */
  readonly #done = new Set<string>()

  constructor(options: DurationKeeperOptions) {
    this.#options = options
  }

  async end(overdue: readonly PodFacts[], signal: AbortSignal): Promise<void> {
    const there = new Set(overdue.map(({ uid }) => uid))
    for (const uid of this.#done) if (!there.has(uid)) this.#done.delete(uid)
    const jobs = new Set<string>()
    for (const facts of overdue) {
      const pod = this.#options.view.podOf(facts)
      if (!pod || this.#done.has(facts.uid)) continue
      const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)
      const resource = owner && resourceOf(owner.kind, owner.apiVersion)
      if (!owner || !resource) await this.#delete(facts, signal)
      else if (!jobs.has(owner.uid)) await this.#pause(resource, facts, owner, signal)
      if (owner) jobs.add(owner.uid)
      this.#done.add(facts.uid)
    }
  }

  async #pause(
    resource: Resource<KubeObject & { spec?: object }>,
    { namespace, group, queue }: PodFacts,
    owner: { name: string; uid: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { client, view, events } = this.#options
    try {
      const job = await client.get(resource, { namespace, name: owner.name }, signal)
      if (job.metadata.uid !== owner.uid) return
      const of = view.groups.cache.get(group)?.spec?.queue ?? queue
      const message = `${describeLimit(view, of)} has passed; the job is paused`
      const body = { ...pausePatch(job, true), metadata: { uid: owner.uid } }
      const paused = await client.patch(resource, { namespace, name: owner.name }, { type: 'merge', body }, { signal })
      events.record(paused, { type: 'Warning', reason: 'MaxDurationExceeded', message })
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
    }
  }

  async #delete({ namespace, name, uid, queue, ...facts }: PodFacts, signal: AbortSignal): Promise<void> {
    const { client, view, events } = this.#options
    const pod = view.podOf({ namespace, name, uid, queue, ...facts })
    const message = `${describeLimit(view, queue)} has passed; the pod is deleted`
    if (pod) events.record(pod, { type: 'Warning', reason: 'MaxDurationExceeded', message })
    try {
      await client.delete(PODS, { namespace, name }, { uid, signal })
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
    }
  }
}

/** `maxDuration 3s of queue research`. */
function describeLimit(view: View, queue: string | undefined): string {
  const { maxDuration = '' } = view.pickedQueues().get(queue ?? '')?.spec ?? {}
  return `maxDuration ${maxDuration} of queue ${queue}`
}

function resourceOf(kind: string, apiVersion: string): Resource<KubeObject & { spec?: object }> | undefined {
  const known = kinds.find((each) => each.job && each.kind === kind && apiVersion.startsWith(`${each.group}/`))
  const version = known?.versions.find(({ storage }) => storage)?.name
  return known && version ? { group: known.group, version, plural: known.plural, kind, namespaced: true } : undefined
}
