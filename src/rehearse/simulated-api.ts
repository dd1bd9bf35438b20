// The API of the simulated cluster: objects with uid, resourceVersion and generation, conditional writes, and the removal
// of what a deleted job owned. Objects are replaced, never changed, so whoever holds one holds a snapshot.
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { KubeObject, TrainingJob } from '../api/types.ts'
import type { CreatedKind, NodeState } from '../core/decision.ts'
import { sameJson } from '../lib/json.ts'
import { type Instant, toTimestamp } from '../lib/time.ts'
import type { Answer, Request } from '../operator/execute.ts'
import { mergePatch } from './merge-patch.ts'
import { uidOf } from './uid.ts'

export interface Change {
  kind: CreatedKind | 'Job'
  before?: KubeObject
  after?: KubeObject
}

export type SimulatedPod = KubeObject & Pod

export const KINDS: readonly CreatedKind[] = ['Pod', 'Service', 'PodGroup', 'TensorBoard']

export class SimulatedApi {
  now: Instant
  job: TrainingJob | undefined
  /** Ready ones only: a node that is lost here is gone. */
  readonly nodes = new Map<string, NodeState>()
  readonly #objects = new Map<CreatedKind, Map<string, KubeObject>>(KINDS.map((kind) => [kind, new Map()]))
  readonly #timesCreated = new Map<string, number>()
  readonly #listeners: Array<(change: Change) => void> = []
  #version = 0

  constructor(now: Instant) {
    this.now = now
  }

  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener)
  }

  list(kind: CreatedKind): KubeObject[] {
    return [...this.#objects.get(kind)!.values()]
  }

  get(kind: CreatedKind, name: string): KubeObject | undefined {
    return this.#objects.get(kind)!.get(name)
  }

  pod(name: string): SimulatedPod | undefined {
    return this.get('Pod', name)
  }

  send(request: Request): Answer {
    switch (request.verb) {
      case 'updateStatus':
        return this.#updateStatus(request.resourceVersion, request.status)
      case 'create':
        return this.#create(request.kind, request.object)
      case 'get': {
        const object = this.get(request.kind, request.name)
        return object ? { done: true, object } : refuse('NotFound', `${request.kind} ${request.name} not found`)
      }
      case 'delete':
        return this.#delete(request.kind, request.name, request.uid, request.force)
      case 'patch':
        return this.#patch(request.kind, request.name, request.uid, request.patch)
      case 'deleteJob':
        return this.#deleteJob(request.uid)
      case 'recordEvent':
        return { done: true }
    }
  }

  /** The user's doing: creates the job, or stores it with another spec. */
  putJob(object: TrainingJob): void {
    const before = this.job
    const changed = before !== undefined && !sameJson(before.spec, object.spec)
    const generation = (before?.metadata.generation ?? 0) + (before && !changed ? 0 : 1)
    this.#store({
      kind: 'Job',
      before,
      after: { ...object, metadata: { ...object.metadata, generation } } as TrainingJob,
    })
  }

  /** The scheduler's or the kubelet's doing. */
  update(kind: CreatedKind, name: string, change: (object: KubeObject) => object): void {
    const before = this.get(kind, name)
    if (before) this.#store({ kind, before, after: change(before) as KubeObject })
  }

  /** The object vanishes, whoever may hold on to it. */
  remove(kind: CreatedKind, name: string): void {
    const before = this.get(kind, name)
    if (before) this.#store({ kind, before })
  }

  /** A delete from outside, as everybody's: a pod with a finalizer or on a lost node stays behind, Terminating. */
  deletePod(name: string): void {
    const uid = this.get('Pod', name)?.metadata.uid
    if (uid !== undefined) this.#delete('Pod', name, uid, false)
  }

  #create(kind: CreatedKind, object: KubeObject): Answer {
    const name = object.metadata.name ?? ''
    if (this.get(kind, name)) return refuse('AlreadyExists', `${kind} ${name} already exists`)
    const times = (this.#timesCreated.get(`${kind}/${name}`) ?? 0) + 1
    this.#timesCreated.set(`${kind}/${name}`, times)
    const metadata = {
      ...object.metadata,
      uid: uidOf(`${kind}/${name}/${times}`),
      creationTimestamp: toTimestamp(this.now),
    }
    const status = kind === 'Pod' ? { phase: 'Pending' } : {}
    return { done: true, object: this.#store({ kind, after: { ...object, metadata, status } as KubeObject }) }
  }

  #updateStatus(resourceVersion: string, status: object): Answer {
    const before = this.job
    if (!before) return refuse('NotFound', 'the job is gone')
    if (before.metadata.resourceVersion !== resourceVersion)
      return refuse('Conflict', 'the job has been changed meanwhile')
    return { done: true, object: this.#store({ kind: 'Job', before, after: { ...before, status } as TrainingJob }) }
  }

  #delete(kind: CreatedKind, name: string, uid: string, force: boolean): Answer {
    const before = this.get(kind, name) as SimulatedPod | undefined
    if (!before) return refuse('NotFound', `${kind} ${name} not found`)
    if (before.metadata.uid !== uid) return refuse('Conflict', `${kind} ${name} has another uid`)
    const node = before.spec?.nodeName
    const stuck = kind === 'Pod' && node !== undefined && !this.nodes.has(node) && !force
    if (!stuck && !before.metadata.finalizers?.length) {
      this.#store({ kind, before })
      return { done: true }
    }
    if (before.metadata.deletionTimestamp) return { done: true, object: before }
    const seconds = force ? 0 : (before.spec?.terminationGracePeriodSeconds ?? 30)
    const deletionTimestamp = toTimestamp(this.now + seconds * 1000)
    const metadata = { ...before.metadata, deletionTimestamp, deletionGracePeriodSeconds: seconds }
    return { done: true, object: this.#store({ kind, before, after: { ...before, metadata } }) }
  }

  #patch(kind: CreatedKind, name: string, uid: string, patch: object): Answer {
    const before = this.get(kind, name)
    if (!before) return refuse('NotFound', `${kind} ${name} not found`)
    if (before.metadata.uid !== uid) return refuse('Conflict', `${kind} ${name} has another uid`)
    const after = mergePatch(before, patch) as KubeObject
    if (after.metadata.deletionTimestamp && !after.metadata.finalizers?.length) {
      this.#store({ kind, before })
      return { done: true }
    }
    return { done: true, object: this.#store({ kind, before, after }) }
  }

  #deleteJob(uid: string): Answer {
    const before = this.job
    if (!before) return refuse('NotFound', 'the job is gone')
    if (before.metadata.uid !== uid) return refuse('Conflict', 'the job has another uid')
    this.#store({ kind: 'Job', before })
    for (const kind of KINDS) {
      for (const object of this.list(kind)) {
        if (object.metadata.ownerReferences?.some((owner) => owner.uid === uid)) this.#store({ kind, before: object })
      }
    }
    return { done: true }
  }

  #store(change: Change): KubeObject | undefined {
    const { kind, before } = change
    let after = change.after
    const name = (after ?? before)?.metadata.name ?? ''
    if (after) {
      after = { ...after, metadata: { ...after.metadata, resourceVersion: String(++this.#version) } }
      if (kind === 'Job') this.job = after as TrainingJob
      else this.#objects.get(kind)!.set(name, after)
    } else if (kind === 'Job') this.job = undefined
    else this.#objects.get(kind)!.delete(name)
    for (const listener of this.#listeners) listener({ kind, before, after })
    return after
  }
}

function refuse(refusal: Extract<Answer, { done: false }>['refusal'], message: string): Answer {
  return { done: false, refusal, message }
}
