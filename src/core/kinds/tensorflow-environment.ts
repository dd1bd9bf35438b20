// TF_CONFIG of the TensorFlow kind and of TFJob, and where the addresses in it stand.
import type { Container, PodSpec } from '../../../gen/kubernetes-types.ts'
import { peersServiceName } from '../../api/names.ts'
import type { PeerMarks } from '../../api/peers.ts'
import { replaceContainer, withVariables } from '../container-shape.ts'
import type { ClusterFacts } from '../decision.ts'
import type { JobModel, Role } from '../job-model.ts'
import type { Place } from '../slots.ts'
import { TFJOB_PORT } from './tfjob.ts'

export const TENSORFLOW_PORT = 2222

/** What TF_CONFIG says of the peers, worked out once for all pods of a job. */
export interface TensorFlowCluster {
  hosts: PeerMarks['peers']
  /** `{"chief":[…],"worker":[…]}` as text, keys sorted. */
  cluster: string
  addressOf: (type: string, index: number) => string
}

export function tensorflowCluster(model: JobModel, facts: ClusterFacts): TensorFlowCluster {
  const tfjob = model.environment.framework === 'tfjob' ? model.environment : undefined
  const suffix = tfjob
    ? `${model.namespace}.svc${facts.customClusterDomain ? `.${facts.customClusterDomain}` : ''}`
    : peersServiceName(model.name, model.hash)
  const portOf = (role: Role): number => (tfjob ? tfjobPort(role) : TENSORFLOW_PORT)
  const hosts = Object.fromEntries(
    model.roles.map((role) => [
      role.type,
      { replicas: role.replicas, host: `${model.name}-${role.type}-{i}.${suffix}`, ports: [portOf(role)] },
    ]),
  )
  const addressOf = (type: string, index: number): string =>
    `${model.name}-${type}-${index}.${suffix}:${hosts[type]?.ports[0]}`
  const members = model.roles.filter((role) => role.type !== 'evaluator' || tfjob?.edition === 'v1')
  const sorted = [...members].sort((a, b) => (a.type < b.type ? -1 : 1))
  const cluster = JSON.stringify(Object.fromEntries(sorted.map((role) => [role.type, addressesOf(role, addressOf)])))
  return { hosts, cluster, addressOf }
}

function addressesOf(role: Role, addressOf: TensorFlowCluster['addressOf']): string[] {
  return Array.from({ length: role.replicas }, (_, index) => addressOf(role.type, index))
}

function tfjobPort(role: Role): number {
  const ports = role.template?.spec?.containers[role.trainingContainer]?.ports ?? []
  return ports.find((port) => port.name === TFJOB_PORT.name)?.containerPort ?? TFJOB_PORT.containerPort
}

/** The TensorFlow kind: in the training container, before the user's own variables. */
export function addTensorFlowConfig(spec: PodSpec, place: Place, known: TensorFlowCluster): [PodSpec, PeerMarks] {
  const value = `{"cluster":${known.cluster},"task":${taskOf(place)}}`
  const name = spec.containers[place.role.trainingContainer]?.name ?? ''
  const changed = replaceContainer(spec, place.role.trainingContainer, (container) =>
    withVariables(container, [{ name: 'TF_CONFIG', value }]),
  )
  return [
    changed,
    marksOf(
      known,
      [name].filter((c) => setByUs(changed, c, value)),
    ),
  ]
}

/** TFJob: after the user's own, so that ours wins; which containers and when depends on the edition. */
export function addTFJobConfig(
  model: JobModel,
  spec: PodSpec,
  place: Place,
  known: TensorFlowCluster,
): [PodSpec, PeerMarks | undefined] {
  if (model.environment.framework !== 'tfjob') throw new TypeError('not a TFJob')
  const { edition, dynamicWorkers } = model.environment
  const total = model.roles.reduce((sum, role) => sum + role.replicas, 0)
  if (edition === 'v1' && total === 1) return [spec, undefined]
  const value = dynamicWorkers
    ? `{"cluster":${sparseCluster(model, place, known)},"task":${taskOf(place)}}`
    : `{"cluster":${known.cluster},"task":${taskOf(place)},"environment":"cloud"}`
  const append = (container: Container): Container => ({
    ...container,
    env: [...(container.env ?? []), { name: 'TF_CONFIG', value }],
  })
  const touched = spec.containers.filter((_, i) => edition === 'v1beta2' || i === place.role.trainingContainer)
  const containers = spec.containers.map((container) => (touched.includes(container) ? append(container) : container))
  return [
    { ...spec, containers },
    marksOf(
      known,
      touched.map((container) => container.name),
    ),
  ]
}

/** With dynamic workers a replica sees itself and the parameter servers, so that others may come and go. */
function sparseCluster(model: JobModel, place: Place, known: TensorFlowCluster): string {
  const self = { [place.index]: known.addressOf(place.type, place.index) }
  const ps = model.roles.find((role) => role.type === 'ps')
  if (place.type === 'ps') return JSON.stringify({ worker: {}, ps: [known.addressOf('ps', place.index)] })
  return JSON.stringify({ [place.type]: self, ps: ps ? addressesOf(ps, known.addressOf) : [] })
}

function taskOf(place: Place): string {
  return JSON.stringify({ type: place.type, index: place.index })
}

function setByUs(spec: PodSpec, container: string, value: string): boolean {
  return spec.containers.find((c) => c.name === container)?.env?.some((v) => v.value === value) ?? false
}

function marksOf(known: TensorFlowCluster, containers: string[]): PeerMarks {
  return {
    peers: known.hosts,
    places: containers.map((container) => ({ container, env: 'TF_CONFIG', addresses: 'all' })),
  }
}
