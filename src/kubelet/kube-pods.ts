// The kubelet's view of the API, over the Kubernetes client.
import type {
  ConfigMap,
  ObjectMeta,
  PersistentVolumeClaim,
  Pod,
  PodStatus,
  Secret,
} from '../../gen/kubernetes-types.ts'
import {
  type Change,
  EventRecorder,
  Informer,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubeObject,
  PODS,
  type Resource,
} from '../kube/index.ts'
import type { ObjectReader, PodEvent, PodListener, PodSource, PodStatusSink } from './interfaces.ts'

const core = { group: '', version: 'v1', namespaced: true }
const configMaps: Resource<ConfigMap & KubeObject> = { ...core, plural: 'configmaps', kind: 'ConfigMap' }
const secrets: Resource<Secret & KubeObject> = { ...core, plural: 'secrets', kind: 'Secret' }
const claims: Resource<PersistentVolumeClaim & KubeObject> = {
  ...core,
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
}

export interface KubePodsOptions {
  client: KubeClient
  /** The nodes this machine plays. */
  nodeNames: readonly [string, ...string[]]
  /** How long events wait for the deeds they tell of, in milliseconds. */
  eventsRest?: number
  onError?: (where: string, error: unknown) => void
}

export class KubePods implements PodSource, PodStatusSink, ObjectReader {
  readonly #client: KubeClient
  readonly #nodeNames: readonly [string, ...string[]]
  readonly #onError: (where: string, error: unknown) => void
  readonly #events: EventRecorder

  constructor({ client, nodeNames, eventsRest, onError = () => {} }: KubePodsOptions) {
    this.#client = client
    this.#nodeNames = nodeNames
    this.#onError = onError
    this.#events = new EventRecorder({
      client,
      component: 'kubelet',
      instance: nodeNames[0],
      rest: eventsRest,
      onError: (error) => onError('recording an event', error),
    })
  }

  watchPods(listener: PodListener): () => void {
    const stopping = new AbortController()
    const names = new Set(this.#nodeNames)
    const own = names.size === 1 ? `spec.nodeName=${this.#nodeNames[0]}` : 'spec.nodeName!='
    const informer = new Informer({
      client: this.#client,
      resource: PODS,
      selection: { fieldSelector: own },
      onChange: (change) => {
        if (!stopping.signal.aborted && names.has(change.object.spec?.nodeName ?? '')) tell(listener, change)
      },
      onError: (error) => this.#onError('watching pods', error),
    })
    void informer.run(stopping.signal)
    void informer.synced.then(() => {
      if (!stopping.signal.aborted) listener.synced()
    })
    return () => stopping.abort()
  }

  /** Merged into what stands there: conditions that others set stay. */
  async writeStatus({ metadata = {} }: Pod, status: PodStatus): Promise<void> {
    const { namespace, name = '', uid } = metadata
    const body = { metadata: { uid }, status }
    await this.#unlessGone(
      metadata,
      this.#client.patch(PODS, { namespace, name }, { type: 'strategic', body }, { subresource: 'status' }),
    )
  }

  async removePod({ metadata = {} }: Pod): Promise<void> {
    const { namespace, name = '', uid } = metadata
    await this.#unlessGone(metadata, this.#client.delete(PODS, { namespace, name }, { uid, gracePeriodSeconds: 0 }))
  }

  recordEvent(pod: Pod, event: PodEvent): void {
    this.#events.record({ ...pod, apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata ?? {} }, event)
  }

  configMap(namespace: string, name: string): Promise<ConfigMap | undefined> {
    return this.#find(configMaps, namespace, name)
  }

  secret(namespace: string, name: string): Promise<Secret | undefined> {
    return this.#find(secrets, namespace, name)
  }

  persistentVolumeClaim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined> {
    return this.#find(claims, namespace, name)
  }

  /** Lets what has been said reach the API. */
  close(): Promise<void> {
    return this.#events.stop()
  }

  /** A pod that is gone, or another one under its name, has no use for the write. */
  async #unlessGone({ namespace, name = '', uid }: ObjectMeta, write: Promise<unknown>): Promise<void> {
    try {
      await write
    } catch (error) {
      if (isNotFound(error)) return
      const other = isConflict(error) && (await this.#find(PODS, namespace ?? 'default', name))?.metadata.uid !== uid
      if (!other) throw error
    }
  }

  async #find<T extends KubeObject>(resource: Resource<T>, namespace: string, name: string): Promise<T | undefined> {
    try {
      return await this.#client.get(resource, { namespace, name })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}

function tell(listener: PodListener, change: Change<Pod & KubeObject>): void {
  const uid = change.object.metadata.uid ?? ''
  // A successor may have taken the name while we were not looking.
  const former = change.type === 'changed' ? (change.old.metadata.uid ?? '') : uid
  if (change.type === 'removed' || former !== uid) listener.gone(former)
  if (change.type !== 'removed') listener.present(change.object)
}
