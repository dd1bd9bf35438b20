import type { Container, EnvVar, PodSpec, Probe, Volume } from '../../../../gen/kubernetes-types.ts'
import type { ApiObject } from '../../object.ts'

/** What the apiserver fills in while it decodes a pod. */
export function defaultPod(object: ApiObject): void {
  object.spec ??= {}
  const spec = object.spec as PodSpec
  spec.restartPolicy ??= 'Always'
  spec.terminationGracePeriodSeconds ??= 30
  spec.dnsPolicy ??= 'ClusterFirst'
  spec.schedulerName ??= 'default-scheduler'
  spec.securityContext ??= {}
  spec.enableServiceLinks ??= true
  if (spec.serviceAccount && !spec.serviceAccountName) spec.serviceAccountName = spec.serviceAccount
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])])
    defaultContainer(container, spec)
  for (const container of spec.ephemeralContainers ?? []) defaultContainer(container as Container, spec)
  for (const volume of spec.volumes ?? []) defaultVolume(volume)
}

function defaultContainer(container: Container, spec: PodSpec): void {
  container.resources ??= {}
  container.terminationMessagePath ??= '/dev/termination-log'
  container.terminationMessagePolicy ??= 'File'
  container.imagePullPolicy ??= pullPolicy(container.image ?? '')
  for (const port of container.ports ?? []) {
    port.protocol ??= 'TCP'
    if (spec.hostNetwork) port.hostPort ??= port.containerPort
  }
  for (const variable of container.env ?? []) defaultVariable(variable)
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
    if (probe) defaultProbe(probe)
  for (const handler of [container.lifecycle?.postStart, container.lifecycle?.preStop]) {
    if (handler?.httpGet) defaultHttp(handler.httpGet)
  }
  defaultRequests(container)
}

/** A limit without a request is the request. */
function defaultRequests(container: Container): void {
  const { limits } = container.resources ?? {}
  if (!limits || !container.resources) return
  container.resources.requests = { ...limits, ...container.resources.requests }
}

function defaultVariable(variable: EnvVar): void {
  if (variable.value === '') delete variable.value
  const field = variable.valueFrom?.fieldRef
  if (field) field.apiVersion ??= 'v1'
  const resource = variable.valueFrom?.resourceFieldRef
  if (resource) resource.divisor ??= '0'
}

function pullPolicy(image: string): string {
  if (image.includes('@')) return 'IfNotPresent'
  const tag = image.slice(image.lastIndexOf('/') + 1).split(':')[1]
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent'
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1
  probe.periodSeconds ||= 10
  probe.successThreshold ||= 1
  probe.failureThreshold ||= 3
  if (probe.httpGet) defaultHttp(probe.httpGet)
  if (probe.grpc) probe.grpc.service ??= ''
}

function defaultHttp(get: { path?: string; scheme?: string }): void {
  get.path ||= '/'
  get.scheme ||= 'HTTP'
}

const FILE_MODE = 0o644

function defaultVolume(volume: Volume): void {
  const sources = Object.keys(volume).filter((key) => key !== 'name')
  if (sources.length === 0) volume.emptyDir = {}
  for (const source of [volume.configMap, volume.secret, volume.downwardAPI, volume.projected]) {
    if (source) source.defaultMode ??= FILE_MODE
  }
  if (volume.hostPath) volume.hostPath.type ??= ''
  const items = [
    ...(volume.downwardAPI?.items ?? []),
    ...(volume.projected?.sources ?? []).flatMap((s) => s.downwardAPI?.items ?? []),
  ]
  for (const item of items) if (item.fieldRef) item.fieldRef.apiVersion ??= 'v1'
  for (const source of volume.projected?.sources ?? []) {
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600
  }
}
