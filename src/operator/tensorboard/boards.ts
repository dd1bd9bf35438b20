// Looks after TensorBoards where their definition is ours; T9k's own controllers look after theirs.
import type { Deployment, Pod, Service } from '../../../gen/kubernetes-types.ts'
import type { TensorBoard } from '../../api/types.ts'
import {
  abortOf,
  EventRecorder,
  Informer,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubeObject,
  PODS,
  type Resource,
  SERVICES,
  WorkQueue,
} from '../../kube/index.ts'
import { sameJson } from '../../lib/json.ts'
import { onlyOurs } from '../own-kinds.ts'
import { CREATED } from '../resources.ts'
import { BOARD_LABEL } from './build-workload.ts'
import { type BoardAction, decideBoard, type WorkloadKind } from './decide-board.ts'

export interface BoardsOptions {
  client: KubeClient
  /** Only this namespace; all of them without it. */
  namespace?: string
  instance?: string
  onError: (where: string, error: unknown) => void
}

const DEPLOYMENTS: Resource<Deployment & KubeObject> = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
}
const BOARDS = CREATED.TensorBoard as Resource<TensorBoard>
/** When a name that was taken is tried again. */
const LOOK_AGAIN = 10_000
/** Reasons that are no news to anybody. */
const QUIET = ['Starting', 'Paused', 'Serving']

export function startBoards(options: BoardsOptions): { stop(): Promise<void> } {
  const boards = new Boards(options)
  return { stop: () => boards.stop() }
}

class Boards {
  readonly #client: KubeClient
  readonly #stopping = new AbortController()
  readonly #queue: WorkQueue
  readonly #events: EventRecorder
  readonly #boards: Informer<TensorBoard>
  readonly #options: BoardsOptions
  /** Followed from the first board on: most clusters have none. */
  #workloads: Promise<Workloads> | undefined
  readonly #runs: Array<Promise<unknown>> = []

  constructor(options: BoardsOptions) {
    const { client, namespace, instance, onError } = options
    this.#options = options
    this.#client = client
    this.#events = new EventRecorder({
      client,
      component: 'trainyard',
      instance,
      onError: (error) => onError('events of TensorBoards', error),
    })
    this.#queue = new WorkQueue({
      handle: (key, signal) => this.#look(key, signal),
      workers: 2,
      onError: (key, error) => onError(`TensorBoard ${key}`, error),
    })
    this.#boards = new Informer({
      client: onlyOurs(client, () => {}),
      resource: BOARDS,
      selection: { namespace },
      onChange: ({ object: { metadata } }) => this.#queue.add(`${metadata.namespace}/${metadata.name}`),
      onError: (error) => onError('tensorboards', error),
    })
    this.#runs.push(this.#boards.run(this.#stopping.signal))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([this.#queue.stop(), this.#events.stop(), ...this.#runs])
  }

  async #look(key: string, signal: AbortSignal): Promise<void> {
    const board = this.#boards.cache.get(key)
    if (!board) return this.#queue.forget(key)
    // What it runs goes with it, by its owner references.
    if (board.metadata.deletionTimestamp) return
    this.#workloads ??= this.#followWorkloads(signal).catch((error) => {
      this.#workloads = undefined
      throw error
    })
    const workloads = await this.#workloads
    const { Deployment, Service, Pod } = workloads
    const view = {
      deployments: Deployment !== undefined,
      deployment: Deployment?.cache.by('board', key)[0],
      service: Service.cache.by('board', key)[0],
      pods: Pod.cache.by('board', key),
    }
    const { actions } = decideBoard(board, view, Date.now())
    const refused: Array<string | undefined> = []
    for (const action of actions) refused.push(await this.#carryOut(workloads, action, signal))
    const taken = refused.find((each) => each !== undefined)
    const { status, wakeAt } = decideBoard(board, { ...view, taken }, Date.now())
    this.#queue.schedule(key, taken === undefined ? wakeAt : Date.now() + LOOK_AGAIN)
    if (sameJson(status, board.status)) return
    const written = await this.#client.updateStatus(BOARDS, { ...board, status }, { signal }).catch((error) => {
      // Somebody was faster, or it is gone: the change that brought that about comes by itself.
      if (isConflict(error) || isNotFound(error)) return undefined
      throw error
    })
    if (written) this.#boards.cache.merge(written)
    const ready = status.conditions?.find(({ type }) => type === 'Ready')
    const before = board.status?.conditions?.find(({ type }) => type === 'Ready')
    if (!written || !ready || QUIET.includes(ready.reason ?? '') || sameJson(ready, before)) return
    this.#events.record(board, { type: 'Warning', reason: ready.reason ?? 'NotReady', message: ready.message ?? '' })
  }

  async #followWorkloads(signal: AbortSignal): Promise<Workloads> {
    const deployments = await this.#client.raw({ method: 'GET', path: '/apis/apps/v1', signal }).then(
      () => true,
      (error) => {
        if (isNotFound(error)) return false
        throw error
      },
    )
    const workloads = {
      Deployment: deployments ? this.#follow(DEPLOYMENTS) : undefined,
      Service: this.#follow(SERVICES),
      Pod: this.#follow(PODS),
    }
    const synced = Promise.all(Object.values(workloads).map((informer) => informer?.synced))
    await Promise.race([synced, abortOf(signal)])
    signal.throwIfAborted()
    return workloads
  }

  #follow<T extends KubeObject>(resource: Resource<T>): Informer<T> {
    const { client, namespace, onError } = this.#options
    const informer = new Informer<T>({
      client,
      resource,
      selection: { namespace, labelSelector: BOARD_LABEL },
      indexes: { board: (object) => [boardOf(object)] },
      onChange: ({ object }) => this.#queue.add(boardOf(object)),
      onError: (error) => onError(`${resource.plural} of TensorBoards`, error),
    })
    this.#runs.push(informer.run(this.#stopping.signal))
    return informer
  }

  /** Undefined, or why it cannot be done now. */
  async #carryOut(
    workloads: Workloads,
    { verb, kind, object }: BoardAction,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const informer = workloads[kind] as Informer<KubeObject>
    const resource = RESOURCES[kind]
    const { namespace, name = '', uid } = object.metadata
    try {
      if (verb === 'create') informer.cache.merge(await this.#client.create(resource, object, { signal }))
      else await this.#client.delete(resource, { namespace, name }, { uid, propagationPolicy: 'Background', signal })
    } catch (error) {
      if (verb === 'create' && isAlreadyExists(error)) return this.#whose(kind, object, signal)
      if (verb === 'create' || !(isNotFound(error) || isConflict(error))) throw error
    }
    return undefined
  }

  /** An object of this name was there already: ours, and soon in our view, or somebody else's. */
  async #whose(kind: WorkloadKind, { metadata }: KubeObject, signal: AbortSignal): Promise<string | undefined> {
    const { namespace, name = '', ownerReferences = [] } = metadata
    const there = await this.#client.get(RESOURCES[kind], { namespace, name }, signal)
    const ours = there.metadata.ownerReferences?.some(({ uid }) => uid === ownerReferences[0]?.uid)
    return ours ? undefined : `a ${kind} ${name} is there already and not of this TensorBoard`
  }
}

interface Workloads {
  /** Absent where the cluster runs none. */
  Deployment: Informer<Deployment & KubeObject> | undefined
  Service: Informer<Service & KubeObject>
  Pod: Informer<Pod & KubeObject>
}

const RESOURCES: Record<WorkloadKind, Resource> = {
  Deployment: DEPLOYMENTS as Resource,
  Service: SERVICES as Resource,
  Pod: PODS as Resource,
}

function boardOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.labels?.[BOARD_LABEL]}`
}
