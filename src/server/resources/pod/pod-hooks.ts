import type { PodSpec, PodStatus } from '../../../../gen/kubernetes-types.ts'
import { sameJson } from '../../../lib/json.ts'
import { type ApiObject, parseObject, timestamp } from '../../object.ts'
import { forbidden, type StatusCause } from '../../status-error.ts'
import type { Hooks } from '../built-in-table.ts'
import { forbiddenField, invalidValue } from '../field-errors.ts'
import type { HookContext } from '../resource.ts'
import { defaultPod } from './pod-defaults.ts'
import { validatePodSpec } from './pod-validation.ts'
import { decideQualityOfService } from './quality-of-service.ts'

const specOf = (pod: ApiObject): PodSpec => (pod.spec ?? {}) as PodSpec

export const podHooks: Hooks = {
  defaults(object) {
    defaultPod(object)
    mirrorAddresses(object)
  },
  prepare(next, old, context) {
    const spec = specOf(next)
    spec.tolerations = withDefaultTolerations(spec.tolerations ?? [])
    if (old) return
    if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1
    next.status = {
      phase: 'Pending',
      ...(spec.schedulingGates?.length ? { conditions: [gatedAt(context.now)] } : {}),
      qosClass: decideQualityOfService(spec),
    } satisfies PodStatus
    spec.serviceAccountName ||= 'default'
    spec.serviceAccount = spec.serviceAccountName
    admitPriority(next, spec, context)
  },
  prepareStatus(next, old) {
    const status = (next.status ?? {}) as PodStatus
    const { qosClass } = (old.status ?? {}) as PodStatus
    if (qosClass) status.qosClass ||= qosClass
  },
  validate(next, old) {
    const causes = validatePodSpec(specOf(next))
    if (old) causes.push(...validateDeadline(specOf(next).activeDeadlineSeconds, specOf(old).activeDeadlineSeconds))
    if (old && causes.length === 0) causes.push(...validateUnchanged(specOf(next), specOf(old)))
    return causes
  },
}

function gatedAt(now: number): NonNullable<PodStatus['conditions']>[number] {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null as unknown as string,
    lastTransitionTime: timestamp(now),
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
}

/** What a pod has been given to finish may become less, never more. */
function validateDeadline(next: number | undefined, old: number | undefined): StatusCause[] {
  const at = 'spec.activeDeadlineSeconds'
  if (old === undefined) return []
  if (next === undefined) return [invalidValue(at, null, 'must not update from a positive integer to nil value')]
  return next > old ? [invalidValue(at, next, 'must be less than or equal to previous value')] : []
}

/** Each address stands alone and first in its list; whoever sets one has set both. */
function mirrorAddresses(pod: ApiObject): void {
  const status = pod.status as PodStatus | undefined
  if (!status) return
  if (status.podIP && !status.podIPs) status.podIPs = [{ ip: status.podIP }]
  else if (status.podIPs?.[0]?.ip) status.podIP = status.podIPs[0].ip
  if (status.hostIP && !status.hostIPs) status.hostIPs = [{ ip: status.hostIP }]
}

type Toleration = NonNullable<PodSpec['tolerations']>[number]

function withDefaultTolerations(given: Toleration[]): Toleration[] {
  const out = [...given]
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const covered = given.some((t) => (t.key === key || !t.key) && (t.effect === 'NoExecute' || !t.effect))
    if (!covered) out.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })
  }
  return out
}

const SYSTEM_CLASSES: Record<string, number> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

function admitPriority(pod: ApiObject, spec: PodSpec, { store }: HookContext): void {
  const name = spec.priorityClassName
  const system = name === undefined ? undefined : SYSTEM_CLASSES[name]
  let found = system === undefined ? undefined : { value: system, preemptionPolicy: 'PreemptLowerPriority' }
  if (name && !found) {
    const row = store.get({ resource: 'scheduling.k8s.io/priorityclasses', namespace: '', name })
    if (!row)
      throw forbidden({ group: '', plural: 'pods' }, pod.metadata.name, `no PriorityClass with name ${name} was found`)
    found = parseObject(row.body) as unknown as typeof found
  }
  if (!name) {
    const classes = store
      .list({ resource: 'scheduling.k8s.io/priorityclasses', limit: 1000 })
      .map((row) => parseObject(row.body))
    const chosen = classes.find((c) => c.globalDefault === true)
    if (chosen) {
      found = chosen as unknown as typeof found
      spec.priorityClassName = chosen.metadata.name
    }
  }
  spec.priority = found?.value ?? 0
  spec.preemptionPolicy ??= found?.preemptionPolicy ?? 'PreemptLowerPriority'
}

const CHANGEABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** A pod's spec is fixed once it is there, but for a few fields. */
function validateUnchanged(next: PodSpec, old: PodSpec): StatusCause[] {
  for (const list of ['containers', 'initContainers'] as const) {
    if (next[list]?.length === old[list]?.length) continue
    return [forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')]
  }
  const fixed = (spec: PodSpec): unknown => {
    const bare = structuredClone(spec)
    for (const container of [...(bare.containers ?? []), ...(bare.initContainers ?? [])]) delete container.image
    delete bare.activeDeadlineSeconds
    delete bare.tolerations
    delete bare.schedulingGates
    return bare
  }
  const kept = (old.tolerations ?? []).every((t) =>
    (next.tolerations ?? []).some((n) => sameJson({ ...n, tolerationSeconds: 0 }, { ...t, tolerationSeconds: 0 })),
  )
  return kept && sameJson(fixed(next), fixed(old)) ? [] : [forbiddenField('spec', CHANGEABLE)]
}
