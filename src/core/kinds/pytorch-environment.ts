// MASTER_ADDR and friends, and torchrun's command line.
import type { EnvVar, PodSpec } from '../../../gen/kubernetes-types.ts'
import { peersServiceName } from '../../api/names.ts'
import { type MarkedPlace, type PeerMarks, wholeSpan } from '../../api/peers.ts'
import { replaceContainer, withCommand, withVariables } from '../container-shape.ts'
import type { JobModel } from '../job-model.ts'
import { countReplicas, type Place, slotKey } from '../slots.ts'

export const MASTER_PORT = 23456

export function addPyTorchEnvironment(model: JobModel, spec: PodSpec, place: Place): [PodSpec, PeerMarks | undefined] {
  const { master } = model
  if (model.environment.framework !== 'pytorch' || !master) return [spec, undefined]
  const peer = slotKey(master)
  const service = peersServiceName(model.name, model.hash)
  const host = `${model.name}-${peer}.${service}`
  const at = place.role.trainingContainer
  const container = spec.containers[at]?.name ?? ''
  const places: MarkedPlace[] = []

  const port = String(MASTER_PORT)
  const variables: EnvVar[] = [
    { name: 'MASTER_ADDR', value: host },
    { name: 'MASTER_PORT', value: port },
  ]
  if (model.elastic) {
    // Agents that share the rendezvous store with their workers die when a node joins (pytorch#135712).
    variables.push({ name: 'TORCH_DISABLE_SHARE_RDZV_TCP_STORE', value: '1' })
  } else {
    variables.push(
      { name: 'RANK', value: String(place.rank) },
      { name: 'WORLD_SIZE', value: String(countReplicas(model)) },
    )
  }
  const own = new Set((spec.containers[at]?.env ?? []).map((variable) => variable.name))
  if (!own.has('MASTER_ADDR')) {
    places.push({ container, env: 'MASTER_ADDR', spans: wholeSpan(host, peer, MASTER_PORT, 'host') })
  }
  if (!own.has('MASTER_PORT')) {
    places.push({ container, env: 'MASTER_PORT', spans: wholeSpan(port, peer, MASTER_PORT, 'port') })
  }

  let changed = replaceContainer(spec, at, (c) => withVariables(c, variables))
  const { torchrun } = model.environment
  if (torchrun && !place.role.debug) {
    const command = torchrunCommand(model, place, `${host}:${port}`)
    const endpoint = command.indexOf('--rdzv_endpoint') + 1
    places.push({ container, command: endpoint, spans: wholeSpan(`${host}:${port}`, peer, MASTER_PORT, 'hostport') })
    changed = replaceContainer(changed, at, (c) => withCommand(c, { command, args: c.args }))
  }
  return [changed, { peers: peersOf(model, service), places }]
}

function torchrunCommand(model: JobModel, place: Place, endpoint: string): string[] {
  const { torchrun } = model.environment as Extract<JobModel['environment'], { framework: 'pytorch' }>
  const { maxRestarts, procPerNode, rdzvBackend, extraOptions } = torchrun!
  const nodes = model.elastic ? `${model.elastic.min}:${model.elastic.max}` : String(countReplicas(model))
  return [
    'torchrun',
    ...['--nnodes', nodes],
    ...(procPerNode === undefined ? [] : ['--nproc_per_node', procPerNode]),
    ...['--rdzv_backend', rdzvBackend],
    ...['--rdzv_endpoint', endpoint],
    ...['--rdzv_id', `${model.name}-${model.hash}`],
    ...(rdzvBackend === 'static' ? ['--node_rank', String(place.rank)] : []),
    ...(maxRestarts === undefined ? [] : ['--max_restarts', String(maxRestarts)]),
    ...['--role', place.type],
    ...extraOptions,
  ]
}

function peersOf(model: JobModel, service: string): PeerMarks['peers'] {
  const { master } = model
  return Object.fromEntries(
    model.roles.map((role) => [
      role.type,
      {
        replicas: role.replicas,
        host: `${model.name}-${role.type}-{i}.${service}`,
        ports: role.type === master?.type ? [MASTER_PORT] : [],
      },
    ]),
  )
}
