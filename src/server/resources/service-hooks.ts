import { isIPv4 } from 'node:net'
import type { ApiObject } from '../object.ts'
import { type StatusCause, StatusError } from '../status-error.ts'
import type { Hooks } from './built-in-table.ts'
import { duplicate, invalidValue, notSupported, required } from './field-errors.ts'
import { checkLabelName, checkPortName } from './name-rules.ts'
import type { HookContext } from './resource.ts'

interface ServicePort {
  name?: string
  port: number
  protocol?: string
  targetPort?: number | string
}

interface ServiceSpec {
  type?: string
  clusterIP?: string
  clusterIPs?: string[]
  ports?: ServicePort[]
  externalName?: string
  [field: string]: unknown
}

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const specOf = (service: ApiObject): ServiceSpec => (service.spec ?? {}) as ServiceSpec

export const serviceHooks: Hooks = {
  defaults(object) {
    object.spec ??= {}
    const spec = object.spec as ServiceSpec
    spec.type ??= 'ClusterIP'
    spec.sessionAffinity ??= 'None'
    for (const port of spec.ports ?? []) {
      port.protocol ??= 'TCP'
      port.targetPort ??= port.port
    }
    if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster'
  },
  prepare(next, old, context) {
    const spec = specOf(next)
    if (!old) next.status = { loadBalancer: {} }
    if (spec.type === 'ExternalName') return
    if (old && !spec.clusterIP) spec.clusterIP = specOf(old).clusterIP
    spec.clusterIP ||= spec.clusterIPs?.[0] ?? allocateAddress(context)
    spec.clusterIPs = [spec.clusterIP ?? '']
    // Headless and without a selector it may point anywhere, so both families are its own.
    const anywhere = spec.clusterIP === 'None' && !spec.selector
    spec.ipFamilies ??= anywhere ? ['IPv4', 'IPv6'] : ['IPv4']
    spec.ipFamilyPolicy ??= anywhere ? 'RequireDualStack' : 'SingleStack'
  },
  validate(next, old) {
    return [...validateSpec(specOf(next)), ...validateAddress(specOf(next), old && specOf(old))]
  },
}

function validateSpec(spec: ServiceSpec): StatusCause[] {
  const causes: StatusCause[] = []
  const ports = spec.ports ?? []
  if (!TYPES.includes(spec.type ?? '')) causes.push(notSupported('spec.type', spec.type, TYPES))
  if (spec.type === 'ExternalName' && !spec.externalName) causes.push(required('spec.externalName'))
  if (ports.length === 0 && spec.clusterIP !== 'None' && spec.type !== 'ExternalName')
    causes.push(required('spec.ports'))
  const names = new Set<string>()
  ports.forEach((port, i) => {
    const at = `spec.ports[${i}]`
    if (!port.name) {
      if (ports.length > 1) causes.push(required(`${at}.name`))
    } else {
      for (const wrong of checkLabelName(port.name)) causes.push(invalidValue(`${at}.name`, port.name, wrong))
      if (names.has(port.name)) causes.push(duplicate(`${at}.name`, port.name))
      names.add(port.name)
    }
    if (!isPort(port.port))
      causes.push(invalidValue(`${at}.port`, port.port ?? 0, 'must be between 1 and 65535, inclusive'))
    if (!['TCP', 'UDP', 'SCTP'].includes(port.protocol ?? '')) {
      causes.push(notSupported(`${at}.protocol`, port.protocol, ['SCTP', 'TCP', 'UDP']))
    }
    if (typeof port.targetPort === 'number' && !isPort(port.targetPort)) {
      causes.push(invalidValue(`${at}.targetPort`, port.targetPort, 'must be between 1 and 65535, inclusive'))
    } else if (typeof port.targetPort === 'string') {
      for (const wrong of checkPortName(port.targetPort))
        causes.push(invalidValue(`${at}.targetPort`, port.targetPort, wrong))
    }
  })
  return causes
}

const isPort = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65535

function validateAddress(spec: ServiceSpec, old: ServiceSpec | undefined): StatusCause[] {
  const address = spec.clusterIP
  if (!address || address === 'None' || spec.type === 'ExternalName') return []
  if (!isIPv4(address)) {
    return [
      invalidValue('spec.clusterIPs[0]', address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'),
    ]
  }
  if (old?.clusterIP && old.clusterIP !== address && old.type !== 'ExternalName') {
    return [invalidValue('spec.clusterIPs[0]', spec.clusterIPs, 'may not change once set')]
  }
  return []
}

/** Nothing answers at these addresses here; they only have to be there, unlike each other. */
function allocateAddress(context: HookContext): string {
  const taken = new Set(
    context.store
      .list({ resource: 'services', limit: 1_000_000 })
      .map((row) => /"clusterIP":"([^"]*)"/.exec(row.body)?.[1]),
  )
  for (let n = 10; n < 65536; n++) {
    const address = `10.96.${n >> 8}.${n & 255}`
    if (!taken.has(address)) return address
  }
  throw new StatusError(500, 'InternalError', 'Internal error occurred: all service addresses are in use')
}
