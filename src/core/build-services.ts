import type { Service, ServicePort } from '../../gen/kubernetes-types.ts'
import { peersServiceName } from '../api/names.ts'
import type { JobModel } from './job-model.ts'
import { MASTER_PORT } from './kinds/pytorch-environment.ts'
import { TENSORFLOW_PORT } from './kinds/tensorflow-environment.ts'
import { TFJOB_PORT } from './kinds/tfjob.ts'
import { JOB_UID_LABEL, ownerOf, replicaLabels } from './labels.ts'
import type { Place } from './slots.ts'

/** The Services a job wants, by name; built only when they are missing. */
export function wantedServices(model: JobModel, places: readonly Place[]): Map<string, () => Service> {
  switch (model.environment.framework) {
    case 'tensorflow':
    case 'pytorch': {
      const name = peersServiceName(model.name, model.hash)
      return new Map([[name, () => buildPeersService(model, name)]])
    }
    case 'generic':
      if (!model.environment.service) return new Map()
      break
  }
  return new Map(places.map((place) => [place.host, () => buildReplicaService(model, place)]))
}

/** One per job, and known before a pod is ready: peers look each other up while they start. */
function buildPeersService(model: JobModel, name: string): Service {
  const port = model.environment.framework === 'pytorch' ? MASTER_PORT : TENSORFLOW_PORT
  return {
    ...frame(model, name, { [JOB_UID_LABEL]: model.uid }),
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { [JOB_UID_LABEL]: model.uid },
      ports: [{ name: 'peers', port, targetPort: port }],
    },
  }
}

function buildReplicaService(model: JobModel, place: Place): Service {
  const labels = replicaLabels(model, place)
  const service = frame(model, place.host, labels)
  if (model.environment.framework === 'tfjob') {
    // Kubeflow's own know only pods that are ready. Those that wait for each other's names never would be.
    const early = model.waitForPeers ? { publishNotReadyAddresses: true } : {}
    return { ...service, spec: { clusterIP: 'None', ...early, selector: labels, ports: tfjobPorts(model, place) } }
  }
  const ports = model.environment.framework === 'generic' ? (model.environment.service?.ports ?? []) : []
  // A headless Service cannot translate ports, so one that must gets an address.
  const translates = ports.some(
    (port) => port.targetPort !== undefined && String(port.targetPort) !== String(port.port),
  )
  return {
    ...service,
    spec: {
      ...(translates ? {} : { clusterIP: 'None' }),
      publishNotReadyAddresses: true,
      selector: labels,
      ...(ports.length > 0 && { ports }),
    },
  }
}

/** v1beta2 exposes the one port; v1 every port of the training container. */
function tfjobPorts(model: JobModel, place: Place): ServicePort[] {
  const all = place.role.template?.spec?.containers[place.role.trainingContainer]?.ports ?? []
  const v1 = model.environment.framework === 'tfjob' && model.environment.edition === 'v1'
  const shown = v1 ? all : all.filter((port) => port.name === TFJOB_PORT.name)
  return shown.map(({ name, containerPort }) => ({
    ...(name && { name }),
    port: containerPort,
    targetPort: containerPort,
  }))
}

function frame(
  model: JobModel,
  name: string,
  labels: Record<string, string>,
): Service & { apiVersion: string; kind: string } {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: model.namespace, labels, ownerReferences: [ownerOf(model)] },
  }
}
