// A real TFJob from what a case gives. What the case does not speak of is filled in so that the job is valid.
import type { Container, PodTemplateSpec } from '../../gen/kubernetes-types.ts'
import { messageOf, pathText } from '../../src/api/issue.ts'
import type { RestartPolicy, TFJob, TFJobSpec, TFReplicaSpec } from '../../src/api/types.ts'
import { validate } from '../../src/api/validate.ts'
import type { Edition, Given } from './case.ts'

export const JOB_UID = '6a1c0c7e-0000-4000-8000-000000000001'
export const IMAGE = 'registry.example/train:1.0'

type GivenReplica = Omit<TFReplicaSpec, 'template'> & { containers?: Partial<Container>[] }
type GivenTemplate = Partial<PodTemplateSpec> & PodTemplateSpec['metadata']

const POLICIES = ['activeDeadlineSeconds', 'backoffLimit', 'cleanPodPolicy', 'ttlSecondsAfterFinished'] as const
const RUN_POLICIES = ['suspend', 'managedBy'] as const

export function buildJob(given: Given, edition: Edition, counts: Record<string, number> = { Worker: 1 }): TFJob {
  const name = given.take<string>('name') ?? given.take<string>('job')?.replace(/\W.*$/, '').replaceAll('_', '-')
  return {
    apiVersion: `kubeflow.org/${edition}`,
    kind: 'TFJob',
    metadata: {
      name: name ?? 'job',
      namespace: given.take<string>('namespace') ?? 'default',
      uid: givenUid(given) ?? JOB_UID,
      generation: 1,
    },
    spec: {
      ...buildPolicies(given, edition),
      ...without(given, ['successPolicy', 'enableDynamicWorker']),
      ...(isNothing(given, 'tfReplicaSpecs') ? {} : { tfReplicaSpecs: buildReplicaSpecs(given, counts) }),
    } as TFJobSpec,
  }
}

function givenUid(given: Given): string | undefined {
  const uid = given.take<string>('uid')
  return uid === 'set' ? undefined : uid
}

function isNothing(given: Given, key: string): boolean {
  return given.has(key) && given.take(key) === undefined
}

/** Flat under v1beta2, gathered under v1: each version's own place. */
function buildPolicies(given: Given, edition: Edition): Partial<TFJobSpec> {
  const policies = without(given, POLICIES)
  const own = without(given, RUN_POLICIES)
  const runPolicy = { ...without(given, ['runPolicy']).runPolicy, ...(edition === 'v1' ? policies : {}), ...own }
  return {
    ...(edition === 'v1beta2' ? policies : {}),
    ...(Object.keys(runPolicy).length > 0 && { runPolicy: dropNulls(runPolicy) }),
  }
}

function without(given: Given, keys: readonly string[]): Record<string, object> {
  return dropNulls(Object.fromEntries(keys.map((key) => [key, given.take<object>(key)])))
}

function dropNulls<T>(values: Record<string, T | undefined>): Record<string, T> {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(set) as Record<string, T>
}

function buildReplicaSpecs(given: Given, counts: Record<string, number>): Record<string, TFReplicaSpec> {
  const types = given.take<string[]>('replicaTypes')?.map((type) => [type, {}] as const)
  const specs = given.take<Record<string, GivenReplica>>('tfReplicaSpecs')
  const worker = given.take<GivenReplica>('Worker')
  const sizes = Object.entries(given.take<Record<string, number>>('replicas') ?? counts)
  const chosen: (readonly [string, GivenReplica])[] =
    types ??
    (specs ? Object.entries(specs) : undefined) ??
    (worker ? [['Worker', worker] as const] : sizes.map(([type, replicas]) => [type, { replicas }] as const))
  const policy = given.take<RestartPolicy | Record<string, RestartPolicy>>('restartPolicy')
  const policyOf = (type: string) => (typeof policy === 'string' ? policy : policy?.[type])
  const template = given.take<GivenTemplate>('template')
  const schedulers = given.take<string[]>('schedulerNames')
  return Object.fromEntries(
    chosen.map(([type, { containers, ...rest }], i) => [
      type,
      {
        ...(policyOf(type) && { restartPolicy: policyOf(type) }),
        ...rest,
        template: {
          metadata: { ...dropNulls({ labels: template?.labels, annotations: template?.annotations }) },
          spec: {
            ...template?.spec,
            ...(schedulers && { schedulerName: schedulers[i] }),
            containers: buildContainers(given, containers),
          },
        },
      },
    ]),
  )
}

function buildContainers(given: Given, own: Partial<Container>[] | undefined): Container[] {
  const said = own ?? given.take<Partial<Container>[]>('containers')
  if (said) return said.map((container) => ({ name: 'tensorflow', image: IMAGE, ...container }))
  const extra = without(given, ['ports', 'env'])
  return [{ name: given.take<string>('containerName') ?? 'tensorflow', image: IMAGE, ...extra }]
}

/** As an API server would store it; one that would be refused comes back too. */
export function asStored(job: TFJob): TFJob {
  return validate(job).object as TFJob
}

export function errorsOf(job: TFJob): string[] {
  const { issues } = validate(job)
  return issues.filter((i) => i.severity === 'error').map((i) => `${pathText(i.path)}: ${messageOf(i)}`)
}

export function accept(job: TFJob): TFJob {
  const errors = errorsOf(job)
  if (errors.length > 0) throw new Error(`the job is refused: ${errors.join('; ')}`)
  return asStored(job)
}
