// What the kubelet needs from whoever knows the API; it knows nothing of servers and watches itself.
import type { ConfigMap, PersistentVolumeClaim, Pod, PodStatus, Secret } from '../../gen/kubernetes-types.ts'

export interface PodSource {
  /** Reports every pod bound to this node, at first all that are there, then `synced`, then each change.
   * Returns what ends it. Reporting the same pod again does no harm. */
  watchPods(listener: PodListener): () => void
}

export interface PodListener {
  /** The pod as it stands in the API. */
  present(pod: Pod): void
  /** The pod of this uid is no longer in the API. */
  gone(uid: string): void
  /** Everything that is in the API has been reported; whatever else runs here is an orphan. */
  synced(): void
}

export interface PodStatusSink {
  /** Replaces the pod's status if the API still has this uid; rejects when the write should be tried again. */
  writeStatus(pod: Pod, status: PodStatus): Promise<void>
  /** Deletes the pod of this uid with grace period 0; resolves too when it is gone already. */
  removePod(pod: Pod): Promise<void>
  recordEvent(pod: Pod, event: PodEvent): void
}

export interface PodEvent {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
}

/** Undefined where there is no such object; rejects when the API did not answer. */
export interface ObjectReader {
  configMap(namespace: string, name: string): Promise<ConfigMap | undefined>
  secret(namespace: string, name: string): Promise<Secret | undefined>
  persistentVolumeClaim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined>
}

/** Something the pod needs is not there yet; it is looked for again until it is. */
export class NotYet extends Error {
  readonly reason: 'CreateContainerConfigError' | 'FailedMount'
  constructor(message: string, reason: NotYet['reason']) {
    super(message)
    this.name = 'NotYet'
    this.reason = reason
  }
}
