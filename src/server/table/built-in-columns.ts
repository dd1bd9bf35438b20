import { type ApiObject, valueAt } from '../object.ts'
import type { Column } from '../resources/resource.ts'
import { ageOf, formatAge } from './duration.ts'
import { podCells } from './pod-cells.ts'

type Value = Column['value']

const column = (name: string, value: Value, options: Partial<Column> = {}): Column => ({
  name,
  type: 'string',
  value,
  ...options,
})
const wide = (name: string, value: Value): Column => column(name, value, { priority: 1 })
const at =
  (path: string, missing: unknown = ''): Value =>
  (object) =>
    valueAt(object, path.split('.')) ?? missing

const NAME = column('Name', (object) => object.metadata.name, { format: 'name' })
const AGE = column('Age', (object, now) => ageOf(object.metadata.creationTimestamp, now))
const NONE = '<none>'

const count =
  (path: string): Value =>
  (object) =>
    Object.keys((valueAt(object, path.split('.')) ?? {}) as object).length
const list = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : [])
const pairs = (value: unknown): string =>
  Object.entries((value ?? {}) as Record<string, string>)
    .map(([key, v]) => `${key}=${v}`)
    .join(',') || NONE

export const namespace: Column[] = [NAME, column('Status', at('status.phase')), AGE]

interface Condition {
  type: string
  status: string
}
const conditions = (object: ApiObject): Condition[] => (valueAt(object, ['status', 'conditions']) ?? []) as Condition[]

function nodeStatus(node: ApiObject): string {
  const ready = conditions(node).find((c) => c.type === 'Ready')
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown']
  if (valueAt(node, ['spec', 'unschedulable'])) words.push('SchedulingDisabled')
  return words.join(',')
}

function nodeRoles(node: ApiObject): string {
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.keys(node.metadata.labels ?? {}).filter((key) => key.startsWith(prefix))
  return (
    roles
      .map((key) => key.slice(prefix.length))
      .sort()
      .join(',') || NONE
  )
}

const nodeAddress =
  (type: string): Value =>
  (node) => {
    const addresses = (valueAt(node, ['status', 'addresses']) ?? []) as Array<{ type: string; address: string }>
    return addresses.find((a) => a.type === type)?.address ?? NONE
  }

export const node: Column[] = [
  NAME,
  column('Status', nodeStatus),
  column('Roles', nodeRoles),
  AGE,
  column('Version', at('status.nodeInfo.kubeletVersion')),
  wide('Internal-IP', nodeAddress('InternalIP')),
  wide('External-IP', nodeAddress('ExternalIP')),
  wide('OS-Image', at('status.nodeInfo.osImage', '<unknown>')),
  wide('Kernel-Version', at('status.nodeInfo.kernelVersion', '<unknown>')),
  wide('Container-Runtime', at('status.nodeInfo.containerRuntimeVersion', '<unknown>')),
]

export const pod: Column[] = [
  NAME,
  column('Ready', (object, now) => podCells(object, now).ready),
  column('Status', (object, now) => podCells(object, now).status),
  column('Restarts', (object, now) => podCells(object, now).restarts),
  AGE,
  wide('IP', (object) => valueAt(object, ['status', 'podIP']) ?? NONE),
  wide('Node', (object) => valueAt(object, ['spec', 'nodeName']) || NONE),
  wide('Nominated Node', (object) => valueAt(object, ['status', 'nominatedNodeName']) || NONE),
  wide('Readiness Gates', () => NONE),
]

function servicePorts(service: ApiObject): string {
  const ports = (valueAt(service, ['spec', 'ports']) ?? []) as Array<{
    port: number
    nodePort?: number
    protocol?: string
  }>
  return ports.map((p) => `${p.port}${p.nodePort ? `:${p.nodePort}` : ''}/${p.protocol ?? 'TCP'}`).join(',') || NONE
}

export const service: Column[] = [
  NAME,
  column('Type', at('spec.type')),
  column('Cluster-IP', at('spec.clusterIP', NONE)),
  column('External-IP', (object) => valueAt(object, ['spec', 'externalName']) ?? NONE),
  column('Port(s)', servicePorts),
  AGE,
  wide('Selector', (object) => pairs(valueAt(object, ['spec', 'selector']))),
]

interface Subset {
  addresses?: Array<{ ip: string }>
  ports?: Array<{ port: number }>
}

export const endpoints: Column[] = [
  NAME,
  column('Endpoints', (object) => {
    const subsets = (object.subsets ?? []) as Subset[]
    const all = subsets.flatMap((s) =>
      (s.addresses ?? []).flatMap((a) => (s.ports ?? []).map((p) => `${a.ip}:${p.port}`)),
    )
    return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',') || NONE
  }),
  AGE,
]

export const configMap: Column[] = [
  NAME,
  column('Data', (object, now) => Number(count('data')(object, now)) + Number(count('binaryData')(object, now)), {
    type: 'string',
  }),
  AGE,
]

export const secret: Column[] = [NAME, column('Type', at('type')), column('Data', count('data')), AGE]

const lastSeen: Value = (object, now) => {
  const seen = valueAt(object, ['series', 'lastObservedTime']) ?? object.lastTimestamp ?? object.eventTime
  return ageOf(seen, now)
}

export const event: Column[] = [
  column('Last Seen', lastSeen),
  column('Type', at('type')),
  column('Reason', at('reason')),
  column('Object', (object) => {
    const involved = (object.involvedObject ?? {}) as { kind?: string; name?: string }
    return involved.kind ? `${involved.kind.toLowerCase()}/${involved.name ?? ''}` : (involved.name ?? '')
  }),
  wide('Subobject', at('involvedObject.fieldPath')),
  wide('Source', (object) => {
    const { component, host } = (object.source ?? {}) as { component?: string; host?: string }
    return [component || object.reportingComponent, host].filter(Boolean).join(', ')
  }),
  column('Message', (object) => String(object.message ?? '').trim()),
  wide('First Seen', (object, now) => ageOf(object.firstTimestamp ?? object.eventTime, now)),
  wide('Count', at('count', 1)),
  wide('Name', (object) => object.metadata.name),
]

export const serviceAccount: Column[] = [NAME, AGE]

const SHORT_MODES: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

export const claim: Column[] = [
  NAME,
  column('Status', (object) =>
    object.metadata.deletionTimestamp ? 'Terminating' : (valueAt(object, ['status', 'phase']) ?? ''),
  ),
  column('Volume', at('spec.volumeName')),
  column('Capacity', at('status.capacity.storage')),
  column('Access Modes', (object) =>
    list(valueAt(object, ['status', 'accessModes']))
      .map((m) => SHORT_MODES[m] ?? m)
      .join(','),
  ),
  column('StorageClass', at('spec.storageClassName')),
  column('VolumeAttributesClass', at('spec.volumeAttributesClassName', '<unset>')),
  AGE,
  wide('VolumeMode', at('spec.volumeMode', '<unset>')),
]

export const lease: Column[] = [NAME, column('Holder', at('spec.holderIdentity')), AGE]

export const priorityClass: Column[] = [
  NAME,
  column('Value', at('value')),
  column('Global-Default', (object) => object.globalDefault === true),
  AGE,
  column('PreemptionPolicy', at('preemptionPolicy')),
]

export const crd: Column[] = [
  NAME,
  column('Scope', at('spec.scope')),
  column('Versions', (object) =>
    list(object.spec && valueAt(object, ['spec', 'versions']))
      .map((v) => (v as unknown as { name: string }).name)
      .join(','),
  ),
  column('Created At', (object) => object.metadata.creationTimestamp ?? '', { type: 'date' }),
  wide('Group', at('spec.group')),
  wide('Kind', at('spec.names.kind')),
]

/** For kinds that say nothing about how they want to be shown. */
export const scale: Column[] = [
  NAME,
  column('Desired', at('spec.replicas', 0), { type: 'integer' }),
  column('Available', at('status.replicas', 0), { type: 'integer' }),
  AGE,
]

export const plain: Column[] = [NAME, AGE]

/** Printer columns of custom resources show dates as ages. */
export const printedDate = (value: unknown, now: number): string | undefined =>
  typeof value === 'string' ? formatAge(now - Date.parse(value)) : undefined
