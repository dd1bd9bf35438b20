// Pods and Services as the engine would make them.
import type { Pod, Service } from '../../../gen/kubernetes-types.ts'
import type { TFJob } from '../../../src/api/types.ts'
import { buildPlan, FULL_CLUSTER } from '../../../src/core/plan.ts'
import { read } from '../../../src/core/read.ts'
import { eventLike } from '../answers.ts'
import { accept, asStored, buildJob, errorsOf } from '../build-job.ts'
import type { Answers, Edition, Given } from '../case.ts'
import { decideNow } from '../observe.ts'

interface TFConfig {
  cluster: Record<string, string[]>
  task: { type: string; index: number }
}

export function buildPod(given: Given, edition: Edition): Answers {
  const { type, index } = given.take<TFConfig['task']>('pod') ?? { type: 'worker', index: 0 }
  const customClusterDomain = given.take<string>('CUSTOM_CLUSTER_DOMAIN')
  // One replica alone has nobody to be told of under v1.
  const job = accept(buildJob(given, edition, { Worker: 2 }))
  const pod = podsOf(job, customClusterDomain).find(
    (p) => p.metadata?.name === `${job.metadata.name}-${type}-${index}`,
  )!
  const env = pod.spec?.containers[0]?.env ?? []
  const configs = env.filter(({ name }) => name === 'TF_CONFIG').map(({ value }) => value ?? '')
  const config = configs.length > 0 ? parseConfig(configs.at(-1)!) : null
  const labels = pod.metadata?.labels ?? {}
  const pick = (from: object | undefined) => (expected: object) =>
    Object.fromEntries(Object.keys(expected).map((key) => [key, (from as Record<string, unknown>)?.[key]]))
  return {
    ...labels,
    podRestartPolicy: pod.spec?.restartPolicy,
    podLabelsContain: pick(labels),
    podAnnotationsContain: pick(pod.metadata?.annotations),
    event: (expected: Parameters<typeof eventLike>[0]) => eventLike(expected, decideNow({ job }).reasons),
    TF_CONFIG: config,
    envNames: env.map(({ name }) => name),
    effective: config ? "operator's" : configs.at(-1),
    estimatorRunConfig: config && runConfigOf(config),
  }
}

/** What TensorFlow's estimator makes of a TF_CONFIG. */
function runConfigOf({ cluster, task }: TFConfig): object {
  return {
    task_type: task.type,
    task_id: task.index,
    is_chief: task.type === 'chief',
    num_worker_replicas: (cluster.chief?.length ?? 0) + (cluster.worker?.length ?? 0),
    num_ps_replicas: cluster.ps?.length ?? 0,
    master: `grpc://${cluster[task.type]?.[task.index]}`,
  }
}

/** Only a distributed job is told of its cluster; asked of jobs too that would be refused. */
export function askDistributed(given: Given, edition: Edition): Answers {
  const pods = podsOf(asStored(buildJob(given, edition)))
  const told = pods.map((pod) => pod.spec?.containers[0]?.env?.some(({ name }) => name === 'TF_CONFIG') ?? false)
  return { distributed: told.every((t) => t === told[0]) ? told[0] : 'only some' }
}

export function askOwner(given: Given, edition: Edition): Answers {
  return { ownerReference: podsOf(accept(buildJob(given, edition)))[0]?.metadata?.ownerReferences?.[0] }
}

export function nameObjects(given: Given, edition: Edition): Answers {
  const job = accept(buildJob(given, edition))
  const names = (kind: string): string[] =>
    buildPlan(read(job)).flatMap((o) => (o.kind === kind ? [o.metadata.name ?? ''] : []))
  return {
    names: (expected: string[]) => {
      const isEach = (list: string[]): boolean => [...list].sort().join() === [...expected].sort().join()
      return isEach(names('Pod')) && isEach(names('Service')) ? expected : [names('Pod'), names('Service')]
    },
  }
}

export function buildService(given: Given, edition: Edition): Answers {
  const { type, index } = given.take<TFConfig['task']>('pod') ?? { type: 'worker', index: 0 }
  const job = accept(buildJob(given, edition))
  const name = `${job.metadata.name}-${type}-${index}`
  const plan = buildPlan(read(job))
  const service = plan.find((o) => o.kind === 'Service' && o.metadata.name === name) as Service | undefined
  const { ports = [], selector = {}, clusterIP, publishNotReadyAddresses = false } = service?.spec ?? {}
  const labels = podsOf(job).find((pod) => pod.metadata?.name === name)?.metadata?.labels ?? {}
  if (Object.entries(selector).some(([key, value]) => labels[key] !== value)) throw new Error('selects another pod')
  return {
    service: {
      name: service?.metadata?.name,
      clusterIP,
      ports: ports.map((port) => ({ name: port.name, port: port.port })),
      publishNotReadyAddresses,
      selectorHasRole: Object.keys(selector).some((key) => key.endsWith('job-role')),
    },
    servicePorts: Object.fromEntries(ports.map((port) => [port.name, port.port])),
  }
}

/** kubeflow/common calls the framework's container and port by stand-ins. */
const STAND_INS: Record<string, string> = { 'default-container': 'tensorflow', 'default-port-name': 'tfjob-port' }

export function createService(given: Given, edition: Edition): Answers {
  const job = buildJob(given, edition)
  const container = job.spec.tfReplicaSpecs.Worker!.template.spec!.containers[0]!
  container.name = STAND_INS[container.name] ?? container.name
  for (const port of container.ports ?? []) port.name = STAND_INS[port.name ?? ''] ?? port.name
  if (errorsOf(job).length > 0) return { error: true }
  const service = buildPlan(read(accept(job))).find((o) => o.kind === 'Service') as Service | undefined
  const exposed = service?.spec?.ports?.map((port) => port.name) ?? []
  const declared = container.ports?.map((port) => port.name) ?? []
  return { error: !declared.every((name) => exposed.includes(name)) }
}

function podsOf(job: TFJob, customClusterDomain?: string): Pod[] {
  const facts = { ...FULL_CLUSTER, ...(customClusterDomain && { customClusterDomain }) }
  return buildPlan(read(job), facts).filter((o) => o.kind === 'Pod') as Pod[]
}

function parseConfig(text: string): TFConfig | null {
  try {
    return JSON.parse(text) as TFConfig
  } catch {
    return null
  }
}
