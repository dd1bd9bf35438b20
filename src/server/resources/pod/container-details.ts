import type { Container, PodSpec, ResourceRequirements } from '../../../../gen/kubernetes-types.ts'
import { parseQuantity } from '../../../api/quantity.ts'
import type { StatusCause } from '../../status-error.ts'
import { duplicate, forbiddenField, invalidValue, notSupported, required } from '../field-errors.ts'
import { checkLabelValue, checkPortName, checkQualifiedName } from '../name-rules.ts'

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const

/** Probes and hooks go one way, ports and mounts are told apart, devices are given out whole. */
export function validateDetails(container: Container, at: string): StatusCause[] {
  const causes: StatusCause[] = []
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const)
    if (container[probe]) causes.push(...validateHandler(container[probe], `${at}.${probe}`))
  const names = new Set<string>()
  for (const [i, { name }] of (container.ports ?? []).entries()) {
    if (!name) continue
    for (const wrong of checkPortName(name)) causes.push(invalidValue(`${at}.ports[${i}].name`, name, wrong))
    if (names.has(name)) causes.push(duplicate(`${at}.ports[${i}].name`, name))
    names.add(name)
  }
  const mounted = new Set<string>()
  for (const [i, { mountPath }] of (container.volumeMounts ?? []).entries()) {
    if (mountPath && mounted.has(mountPath))
      causes.push(invalidValue(`${at}.volumeMounts[${i}].mountPath`, mountPath, 'must be unique'))
    mounted.add(mountPath)
  }
  return [...causes, ...validateDevices(container.resources ?? {}, `${at}.resources`)]
}

function validateHandler(handler: object, at: string): StatusCause[] {
  const given = HANDLERS.filter((way) => way in handler)
  if (given.length === 0) return [required(at, 'must specify a handler type')]
  return given.slice(1).map((way) => forbiddenField(`${at}.${way}`, 'may not specify more than 1 handler type'))
}

const isDevice = (name: string): boolean => name.includes('/') && !/(^|\.)kubernetes\.io\//.test(name)

function validateDevices({ limits = {}, requests = {} }: ResourceRequirements, at: string): StatusCause[] {
  const causes: StatusCause[] = []
  for (const [field, list] of Object.entries({ limits, requests })) {
    for (const [name, amount] of Object.entries(list)) {
      const nano = parseQuantity(String(amount))?.nano ?? 0n
      if (isDevice(name) && nano % 1_000_000_000n !== 0n)
        causes.push(invalidValue(`${at}.${field}[${name}]`, String(amount), 'must be an integer'))
    }
  }
  for (const name of Object.keys(requests)) {
    if (isDevice(name) && limits[name] === undefined)
      causes.push(required(`${at}.limits`, 'Limit must be set for non overcommitable resources'))
  }
  return causes
}

const OPERATORS = ['Equal', 'Exists']

/** Where a pod may go, and how it asks for names. */
export function validatePlacement(spec: PodSpec, at: string): StatusCause[] {
  const causes: StatusCause[] = []
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    for (const wrong of checkQualifiedName(key)) causes.push(invalidValue(`${at}.nodeSelector`, key, wrong))
    for (const wrong of checkLabelValue(value)) causes.push(invalidValue(`${at}.nodeSelector`, value, wrong))
  }
  for (const [i, { key, operator = '' }] of (spec.tolerations ?? []).entries()) {
    const field = `${at}.tolerations[${i}].operator`
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
    if (!key && operator !== 'Exists') causes.push(invalidValue(field, operator, why))
    if (operator && !OPERATORS.includes(operator)) causes.push(notSupported(field, operator, OPERATORS))
  }
  if (spec.dnsPolicy === 'None' && !spec.dnsConfig)
    causes.push(required(`${at}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None'))
  else if (spec.dnsPolicy === 'None' && !spec.dnsConfig?.nameservers?.length)
    causes.push(
      required(`${at}.dnsConfig.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
    )
  return causes
}
