import type { Pod, PodSpec } from '../../gen/kubernetes-types.ts'
import { peersServiceName } from '../api/names.ts'
import { PEERS_ANNOTATION, type PeerMarks } from '../api/peers.ts'
import { replaceContainer, shapeOf, withCommand } from './container-shape.ts'
import type { ClusterFacts } from './decision.ts'
import { GANGS } from './gangs.ts'
import type { JobModel } from './job-model.ts'
import { substituteReferences } from './kinds/generic-substitution.ts'
import { addPyTorchEnvironment } from './kinds/pytorch-environment.ts'
import {
  addTensorFlowConfig,
  addTFJobConfig,
  type TensorFlowCluster,
  tensorflowCluster,
} from './kinds/tensorflow-environment.ts'
import { ATTEMPT_ANNOTATION, ownerOf, podLabels } from './labels.ts'
import { countReplicas, type Place } from './slots.ts'
import { addWaitForPeers } from './wait-for-peers.ts'

/** Builds the pods of one job; what is the same for all of them is worked out once. */
export class PodBuilder {
  readonly #model: JobModel
  readonly #facts: ClusterFacts
  readonly #resumed: boolean
  #cluster: TensorFlowCluster | undefined

  constructor(model: JobModel, facts: ClusterFacts, resumed: boolean) {
    this.#model = model
    this.#facts = facts
    this.#resumed = resumed
  }

  build(place: Place, attempt: number): Pod {
    const model = this.#model
    const template = place.role.template
    const [spec, peers] = this.#addEnvironment(this.#shape(place), place)
    const [waiting, waitingMarks] = model.waitForPeers ? addWaitForPeers(model, spec, place, peers) : [spec, peers]
    const { gangScheduler } = this.#facts
    const gang = gangScheduler && model.gang
    const adapter = gang && GANGS[gangScheduler]
    const marks = adapter?.marks(model, gang!, place.type, countReplicas(model))
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: place.podName,
        namespace: model.namespace,
        labels: {
          ...template.metadata?.labels,
          ...podLabels(model, place),
          ...marks?.labels,
        },
        annotations: {
          ...template.metadata?.annotations,
          [ATTEMPT_ANNOTATION]: String(attempt),
          ...marks?.annotations,
          ...(waitingMarks && { [PEERS_ANNOTATION]: JSON.stringify(waitingMarks) }),
        },
        ...(template.metadata?.finalizers && { finalizers: template.metadata.finalizers }),
        ownerReferences: [ownerOf(model)],
      },
      spec: {
        ...waiting,
        ...(adapter?.schedulerName && { schedulerName: schedulerOf(model, waiting, adapter.schedulerName) }),
        ...(gang?.priorityClass && !waiting.priorityClassName && { priorityClassName: gang.priorityClass }),
      },
    }
  }

  /** Run mode, restart policy, names: everything but what the framework wants. */
  #shape(place: Place): PodSpec {
    const model = this.#model
    const { template, trainingContainer } = place.role
    const base = template.spec ?? { containers: [] }
    const shape = shapeOf(place.role, base.containers[trainingContainer], this.#resumed)
    let spec = replaceContainer(base, trainingContainer, (container) => withCommand(container, shape))
    // A restart is a new pod made by the controller, which alone knows the budget.
    spec = { ...spec, restartPolicy: 'Never' }
    if (!shape.keepInitContainers) delete spec.initContainers
    if (spec.hostNetwork && !spec.dnsPolicy) spec.dnsPolicy = 'ClusterFirstWithHostNet'
    return withNames(model, spec, place, this.#facts.domain)
  }

  #addEnvironment(spec: PodSpec, place: Place): [PodSpec, PeerMarks | undefined] {
    const model = this.#model
    switch (model.environment.framework) {
      case 'pytorch':
        return addPyTorchEnvironment(model, spec, place)
      case 'generic':
        return substituteReferences(model, spec, place)
      case 'tensorflow':
        this.#cluster ??= tensorflowCluster(model, this.#facts)
        return addTensorFlowConfig(spec, place, this.#cluster)
      case 'tfjob':
        this.#cluster ??= tensorflowCluster(model, this.#facts)
        return addTFJobConfig(model, spec, place, this.#cluster)
    }
  }
}

/** A TFJob's template may name another scheduler, as with Kubeflow; the T9k kinds' queue is T9k's own. */
function schedulerOf(model: JobModel, spec: PodSpec, gangScheduler: string): string {
  return (model.kind === 'TFJob' && spec.schedulerName) || gangScheduler
}

/** A hostname of its own, under the peers Service where the kind has one; the bare name too where it can be had. */
function withNames(model: JobModel, spec: PodSpec, place: Place, domain: string | undefined): PodSpec {
  const { framework } = model.environment
  if (framework === 'tfjob' || (framework === 'generic' && !model.environment.service)) return spec
  if (framework === 'generic') return { ...spec, hostname: place.host }
  const subdomain = peersServiceName(model.name, model.hash)
  const named: PodSpec = { ...spec, hostname: place.host, subdomain }
  if (!domain) return named
  const searches = [...(spec.dnsConfig?.searches ?? []), `${subdomain}.${model.namespace}.svc.${domain}`]
  return { ...named, dnsConfig: { ...spec.dnsConfig, searches } }
}
