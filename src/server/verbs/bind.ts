import { isObject } from '../../lib/json.ts'
import type { Api, WriteOptions } from '../api.ts'
import { timestamp, valueAt } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import { conflict, notFound, StatusError } from '../status-error.ts'
import { type ObjectKey, writeObject } from './update.ts'
import { inVersion } from './versions.ts'

const BINDING = { group: '', plural: 'pods/binding' }

/** A pod is given to a node once; the scheduler's word is final. */
export function bindPod(api: Api, resource: Resource, key: ObjectKey, binding: unknown, options: WriteOptions): void {
  const row = api.store.get({ resource: resource.storageKey, ...key })
  if (!row) throw notFound(resource, key.name)
  const node = isObject(binding) ? valueAt(binding, ['target', 'name']) : undefined
  if (typeof node !== 'string' || node === '') throw new StatusError(500, '', 'target.name: Required value')
  const pod = inVersion(resource, row.body, row.rev)
  const bound = valueAt(pod, ['spec', 'nodeName'])
  if (pod.metadata.deletionTimestamp)
    throw conflict(BINDING, key.name, `pod ${key.name} is being deleted, cannot be assigned to a host`)
  if (bound) throw conflict(BINDING, key.name, `pod ${key.name} is already assigned to node "${String(bound)}"`)
  const uid = isObject(binding) ? valueAt(binding, ['metadata', 'uid']) : undefined
  if (uid && uid !== pod.metadata.uid) {
    throw conflict(
      BINDING,
      key.name,
      `Precondition failed: UID in precondition: ${String(uid)}, UID in object meta: ${pod.metadata.uid}`,
    )
  }
  pod.spec = { ...(pod.spec as object), nodeName: node }
  const annotations = isObject(binding) ? valueAt(binding, ['metadata', 'annotations']) : undefined
  if (isObject(annotations))
    pod.metadata.annotations = { ...pod.metadata.annotations, ...(annotations as Record<string, string>) }
  const status = (pod.status ?? {}) as { conditions?: Array<{ type: string }> }
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(api.now()),
  }
  status.conditions = [...(status.conditions ?? []).filter((c) => c.type !== 'PodScheduled'), scheduled]
  pod.status = status
  if (!options.dryRun) writeObject(api, resource, key, pod)
}
