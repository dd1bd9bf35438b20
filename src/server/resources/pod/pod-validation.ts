import type { Container, EnvVar, PodSpec, ResourceRequirements, Volume } from '../../../../gen/kubernetes-types.ts'
import { parseQuantity } from '../../../api/quantity.ts'
import type { StatusCause } from '../../status-error.ts'
import { duplicate, invalidValue, notFoundField, notSupported, required } from '../field-errors.ts'
import { checkLabelName, checkQualifiedName, checkSubdomain } from '../name-rules.ts'
import { validateDetails, validatePlacement } from './container-details.ts'

const RESTART = ['Always', 'OnFailure', 'Never']
const PULL = ['Always', 'IfNotPresent', 'Never']
const DNS = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const PROTOCOL = ['SCTP', 'TCP', 'UDP']

/** Collects what the apiserver would say; `at` is the path of the pod's spec. */
export function validatePodSpec(spec: PodSpec, at = 'spec'): StatusCause[] {
  const causes: StatusCause[] = []
  const volumes = new Set<string>()
  ;(spec.volumes ?? []).forEach((volume, i) => {
    causes.push(...validateVolume(volume, `${at}.volumes[${i}]`, volumes))
  })
  if ((spec.containers ?? []).length === 0) causes.push(required(`${at}.containers`))
  const names = new Set<string>()
  for (const list of ['containers', 'initContainers'] as const) {
    ;(spec[list] ?? []).forEach((container, i) => {
      causes.push(...validateContainer(container, `${at}.${list}[${i}]`, names, volumes))
    })
  }
  if (!RESTART.includes(spec.restartPolicy ?? ''))
    causes.push(notSupported(`${at}.restartPolicy`, spec.restartPolicy, RESTART))
  if (!DNS.includes(spec.dnsPolicy ?? '')) causes.push(notSupported(`${at}.dnsPolicy`, spec.dnsPolicy, DNS))
  causes.push(...validatePlacement(spec, at))
  const deadline = spec.activeDeadlineSeconds
  if (deadline !== undefined && (deadline < 1 || deadline > 2147483647)) {
    causes.push(invalidValue(`${at}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'))
  }
  for (const field of ['hostname', 'subdomain'] as const) {
    if (spec[field])
      for (const wrong of checkLabelName(spec[field])) causes.push(invalidValue(`${at}.${field}`, spec[field], wrong))
  }
  for (const [field, name] of [
    ['nodeName', spec.nodeName],
    ['serviceAccountName', spec.serviceAccountName],
    ['priorityClassName', spec.priorityClassName],
  ] as const) {
    if (name) for (const wrong of checkSubdomain(name)) causes.push(invalidValue(`${at}.${field}`, name, wrong))
  }
  return causes
}

function validateVolume(volume: Volume, at: string, seen: Set<string>): StatusCause[] {
  const causes: StatusCause[] = []
  if (!volume.name) causes.push(required(`${at}.name`))
  else {
    for (const wrong of checkLabelName(volume.name)) causes.push(invalidValue(`${at}.name`, volume.name, wrong))
    if (seen.has(volume.name)) causes.push(duplicate(`${at}.name`, volume.name))
    seen.add(volume.name)
  }
  const sources = Object.keys(volume).filter((key) => key !== 'name')
  for (const extra of sources.slice(1)) {
    causes.push({
      reason: 'FieldValueForbidden',
      message: 'Forbidden: may not specify more than 1 volume type',
      field: `${at}.${extra}`,
    })
  }
  if (volume.hostPath && !volume.hostPath.path) causes.push(required(`${at}.hostPath.path`))
  if (volume.configMap && !volume.configMap.name) causes.push(required(`${at}.configMap.name`))
  if (volume.secret && !volume.secret.secretName) causes.push(required(`${at}.secret.secretName`))
  if (volume.persistentVolumeClaim && !volume.persistentVolumeClaim.claimName) {
    causes.push(required(`${at}.persistentVolumeClaim.claimName`))
  }
  return causes
}

function validateContainer(
  container: Container,
  at: string,
  names: Set<string>,
  volumes: ReadonlySet<string>,
): StatusCause[] {
  const causes: StatusCause[] = []
  if (!container.name) causes.push(required(`${at}.name`))
  else {
    for (const wrong of checkLabelName(container.name)) causes.push(invalidValue(`${at}.name`, container.name, wrong))
    if (names.has(container.name)) causes.push(duplicate(`${at}.name`, container.name))
    names.add(container.name)
  }
  if (!container.image) causes.push(required(`${at}.image`))
  else if (container.image !== container.image.trim()) {
    causes.push(invalidValue(`${at}.image`, container.image, 'must not have leading or trailing whitespace'))
  }
  if (container.imagePullPolicy && !PULL.includes(container.imagePullPolicy)) {
    causes.push(notSupported(`${at}.imagePullPolicy`, container.imagePullPolicy, PULL))
  }
  ;(container.ports ?? []).forEach((port, i) => {
    if (!port.containerPort) causes.push(required(`${at}.ports[${i}].containerPort`))
    else if (port.containerPort < 1 || port.containerPort > 65535) {
      causes.push(
        invalidValue(`${at}.ports[${i}].containerPort`, port.containerPort, 'must be between 1 and 65535, inclusive'),
      )
    }
    if (!PROTOCOL.includes(port.protocol ?? ''))
      causes.push(notSupported(`${at}.ports[${i}].protocol`, port.protocol, PROTOCOL))
  })
  ;(container.env ?? []).forEach((variable, i) => {
    causes.push(...validateVariable(variable, `${at}.env[${i}]`))
  })
  ;(container.volumeMounts ?? []).forEach((mount, i) => {
    const here = `${at}.volumeMounts[${i}]`
    if (!mount.name) causes.push(required(`${here}.name`))
    else if (!volumes.has(mount.name)) causes.push(notFoundField(`${here}.name`, mount.name))
    if (!mount.mountPath) causes.push(required(`${here}.mountPath`))
  })
  causes.push(...validateDetails(container, at))
  causes.push(...validateResources(container.resources ?? {}, `${at}.resources`))
  return causes
}

function validateVariable(variable: EnvVar, at: string): StatusCause[] {
  if (!variable.name) return [required(`${at}.name`)]
  if (/[=]|[^\x20-\x7e]/.test(variable.name)) {
    return [
      invalidValue(
        `${at}.name`,
        variable.name,
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ),
    ]
  }
  if (variable.value && variable.valueFrom) {
    return [invalidValue(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty')]
  }
  const sources = Object.keys(variable.valueFrom ?? {})
  if (variable.valueFrom && sources.length === 0) {
    return [
      invalidValue(
        `${at}.valueFrom`,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    ]
  }
  return []
}

function validateResources(resources: ResourceRequirements, at: string): StatusCause[] {
  const causes: StatusCause[] = []
  const amounts = (list: Record<string, string | number> | undefined, field: string): Map<string, bigint> => {
    const out = new Map<string, bigint>()
    for (const [name, value] of Object.entries(list ?? {})) {
      const nano = parseQuantity(String(value))?.nano ?? 0n
      for (const wrong of checkQualifiedName(name)) causes.push(invalidValue(`${at}.${field}[${name}]`, name, wrong))
      if (nano < 0n)
        causes.push(invalidValue(`${at}.${field}[${name}]`, String(value), 'must be greater than or equal to 0'))
      if (
        !name.includes('/') &&
        !['cpu', 'memory', 'ephemeral-storage'].includes(name) &&
        !name.startsWith('hugepages-')
      ) {
        causes.push(
          invalidValue(`${at}.${field}[${name}]`, name, 'must be a standard resource type or fully qualified'),
        )
        causes.push(invalidValue(`${at}.${field}[${name}]`, name, 'must be a standard resource for containers'))
      }
      out.set(name, nano)
    }
    return out
  }
  const limits = amounts(resources.limits, 'limits')
  const requests = amounts(resources.requests, 'requests')
  for (const [name, request] of requests) {
    const limit = limits.get(name)
    if (limit !== undefined && request > limit) {
      causes.push(
        invalidValue(
          `${at}.requests`,
          String(resources.requests?.[name]),
          `must be less than or equal to ${name} limit of ${resources.limits?.[name]}`,
        ),
      )
    }
  }
  return causes
}
