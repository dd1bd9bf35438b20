// GenericJob's `$(…)`: what a replica is told about itself and its peers, in command, args and environment.
import type { Container, EnvVar, PodSpec } from '../../../gen/kubernetes-types.ts'
import { parseReferences } from '../../api/generic/references.ts'
import { hostName } from '../../api/names.ts'
import type { MarkedPlace, PeerMarks, PeerSpan } from '../../api/peers.ts'
import type { JobModel } from '../job-model.ts'
import { type Place, slotKey } from '../slots.ts'

export function substituteReferences(model: JobModel, spec: PodSpec, place: Place): [PodSpec, PeerMarks | undefined] {
  if (model.environment.framework !== 'generic') return [spec, undefined]
  const { service } = model.environment
  const places: MarkedPlace[] = []
  const fill = (container: Container): Container => {
    const put = (text: string, where: Omit<MarkedPlace, 'container' | 'spans'>): string => {
      const filled = fillText(model, place, text)
      if (filled.spans.length > 0) places.push({ container: container.name, ...where, spans: filled.spans })
      return filled.text
    }
    return {
      ...container,
      ...(container.command && { command: container.command.map((text, i) => put(text, { command: i })) }),
      ...(container.args && { args: container.args.map((text, i) => put(text, { args: i })) }),
      ...(container.env && { env: container.env.map((variable) => fillVariable(variable, put)) }),
    }
  }
  const changed: PodSpec = {
    ...spec,
    containers: spec.containers.map(fill),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(fill) }),
  }
  if (!service) return [changed, undefined]
  const ports = service.ports.map((port) => port.port)
  const peers = Object.fromEntries(
    model.roles.map((role) => [
      role.type,
      { replicas: role.replicas, host: hostName(model.name, role.type, 0).replace(/0$/, '{i}'), ports },
    ]),
  )
  return [changed, { peers, places }]
}

function fillVariable(variable: EnvVar, put: (text: string, where: { env: string }) => string): EnvVar {
  return variable.value === undefined ? variable : { ...variable, value: put(variable.value, { env: variable.name }) }
}

/**
 * A host directly followed by `:` and a port is one address; a port that stands alone is the one this replica
 * itself listens at.
 */
function fillText(model: JobModel, place: Place, text: string): { text: string; spans: PeerSpan[] } {
  const spans: PeerSpan[] = []
  let filled = ''
  let openHost: PeerSpan | undefined
  for (const piece of parseReferences(text)) {
    if (typeof piece === 'string') {
      openHost = piece === ':' ? openHost : undefined
      filled += piece
      continue
    }
    const from = filled.length
    if (piece.name === 'host') {
      filled += hostName(model.name, piece.type, piece.index)
      openHost = { from, to: filled.length, peer: slotKey(piece), part: 'host' }
      spans.push(openHost)
      continue
    }
    if (piece.name === 'port') {
      const port = portOf(model, piece.port)
      filled += port ?? piece.text
      if (port !== undefined && openHost) Object.assign(openHost, { to: filled.length, port, part: 'hostport' })
      else if (port !== undefined) spans.push({ from, to: filled.length, peer: place.key, port, part: 'port' })
    } else if (piece.name === 'type') filled += place.type
    else if (piece.name === 'rank') filled += String(place.index)
    else filled += String(model.roles.find((role) => role.type === piece.type)?.replicas ?? piece.text)
    openHost = undefined
  }
  return { text: filled, spans }
}

function portOf(model: JobModel, name: string): number | undefined {
  if (model.environment.framework !== 'generic') return undefined
  return model.environment.service?.ports.find((port) => port.name === name)?.port
}
