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
  const { torchrun } = model.environment
  const ownHost = `${place.host}.${service}`
  if (torchrun) {
    // Where agents share the rendezvous store with their workers, all die when a node joins (pytorch#135712), and
    // workers that are started again after a failure never find each other. The agent of rank 0 then opens a store for
    // the workers; without being told its address it would name the machine, which need not resolve.
    variables.push({ name: 'TORCH_DISABLE_SHARE_RDZV_TCP_STORE', value: '1' })
    variables.push({ name: 'PET_LOCAL_ADDR', value: ownHost })
  }
  if (!model.elastic) {
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
  if (torchrun && !own.has('PET_LOCAL_ADDR')) {
    places.push({ container, env: 'PET_LOCAL_ADDR', spans: wholeSpan(ownHost, place.key, undefined, 'host') })
  }

  let changed = replaceContainer(spec, at, (c) => withVariables(c, variables))
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
  const conf = hostingOf(model, place, rdzvBackend)
  const options = withRendezvous(extraOptions, conf)
  const nodes = model.elastic ? `${model.elastic.min}:${model.elastic.max}` : String(countReplicas(model))
  return [
    'torchrun',
    ...['--nnodes', nodes],
    ...(procPerNode === undefined ? [] : ['--nproc_per_node', procPerNode]),
    ...['--rdzv_backend', rdzvBackend],
    ...['--rdzv_endpoint', endpoint],
    ...['--rdzv_id', `${model.name}-${model.hash}`],
    ...(rdzvBackend === 'static' ? ['--node_rank', String(place.rank)] : []),
    ...(conf && !options.conf ? ['--rdzv_conf', conf] : []),
    ...(maxRestarts === undefined ? [] : ['--max_restarts', String(maxRestarts)]),
    ...['--role', place.type],
    ...options.all,
  ]
}

/**
 * Agents on one machine would each take themselves for the host of the rendezvous, and the first would be it. It has
 * to be the master: whoever hosts it cannot leave without the others.
 */
function hostingOf(model: JobModel, place: Place, rdzvBackend: string): string | undefined {
  if (rdzvBackend !== 'c10d') return undefined
  return `is_host=${place.key === (model.master && slotKey(model.master)) ? 1 : 0}`
}

/** torchrun heeds its last `--rdzv_conf` only, so that ours is added to the user's own; what they say wins. */
function withRendezvous(options: readonly string[], conf: string | undefined): { all: string[]; conf: boolean } {
  const at = options.findLastIndex((option) => /^--rdzv[-_]conf(=|$)/.test(option))
  if (!conf || at < 0) return { all: [...options], conf: false }
  const told = options[at]!.includes('=') ? at : at + 1
  const all = options.map((option, i) => (i === told && !/\bis_host=/.test(option) ? `${option},${conf}` : option))
  return { all, conf: true }
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
