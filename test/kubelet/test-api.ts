// The API as far as a kubelet sees it, in memory: pods that can be created, deleted with grace, and are gone when removed.
import { randomUUID } from 'node:crypto'
import type { ConfigMap, PersistentVolumeClaim, Pod, PodSpec, PodStatus, Secret } from '../../gen/kubernetes-types.ts'
import type { ObjectReader, PodEvent, PodListener, PodSource, PodStatusSink } from '../../src/kubelet/interfaces.ts'
import { until } from './until.ts'

export class TestApi implements PodSource, PodStatusSink, ObjectReader {
  readonly pods = new Map<string, Pod>()
  readonly configMaps = new Map<string, ConfigMap>()
  readonly secrets = new Map<string, Secret>()
  readonly claims = new Map<string, PersistentVolumeClaim>()
  readonly events: Array<PodEvent & { pod: string }> = []
  /** Every status written, in order. */
  readonly written: Array<{ uid: string; status: PodStatus }> = []
  #listener: PodListener | undefined

  watchPods(listener: PodListener): () => void {
    this.#listener = listener
    for (const pod of this.pods.values()) listener.present(pod)
    listener.synced()
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }

  async writeStatus({ metadata }: Pod, status: PodStatus): Promise<void> {
    const pod = this.pods.get(metadata!.uid!)
    if (!pod) return
    this.written.push({ uid: metadata!.uid!, status })
    this.#put({ ...pod, status: structuredClone(status) })
  }

  async removePod({ metadata }: Pod): Promise<void> {
    this.forceDelete(metadata!.uid!)
  }

  recordEvent(pod: Pod, event: PodEvent): void {
    this.events.push({ ...event, pod: pod.metadata!.name! })
  }

  async configMap(_namespace: string, name: string) {
    return this.configMaps.get(name)
  }

  async secret(_namespace: string, name: string) {
    return this.secrets.get(name)
  }

  async persistentVolumeClaim(_namespace: string, name: string) {
    return this.claims.get(name)
  }

  create(name: string, spec: PodSpec, metadata: Pod['metadata'] = {}): string {
    const uid = metadata?.uid ?? randomUUID()
    const whole: PodSpec = { restartPolicy: 'Never', terminationGracePeriodSeconds: 30, nodeName: 'here', ...spec }
    this.#put({ metadata: { name, namespace: 'default', ...metadata, uid }, spec: whole, status: { phase: 'Pending' } })
    return uid
  }

  delete(uid: string, grace = 30): void {
    const pod = this.pods.get(uid)!
    const deletionTimestamp = new Date(Date.now() + grace * 1000).toISOString()
    this.#put({ ...pod, metadata: { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: grace } })
  }

  forceDelete(uid: string): void {
    if (this.pods.delete(uid)) this.#listener?.gone(uid)
  }

  status(uid: string): PodStatus {
    return this.pods.get(uid)?.status ?? {}
  }

  phase(uid: string, ...phases: string[]): Promise<PodStatus> {
    return until(`phase ${phases.join(' or ')}, is ${JSON.stringify(this.status(uid))}`, () => {
      const status = this.status(uid)
      return phases.includes(status.phase ?? '') && status
    })
  }

  #put(pod: Pod): void {
    this.pods.set(pod.metadata!.uid!, pod)
    this.#listener?.present(pod)
  }
}
