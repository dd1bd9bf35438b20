// What is to be created and removed, given the replicas' states.
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { KubeObject } from '../api/types.ts'
import { fromTimestamp, type Instant } from '../lib/time.ts'
import { PodBuilder } from './build-pod.ts'
import { wantedServices } from './build-services.ts'
import { buildTensorBoard } from './build-tensorboard.ts'
import type { Action, Observed, Reason } from './decision.ts'
import { buildPodGroup } from './gangs.ts'
import type { JobModel } from './job-model.ts'
import { expectedAttempt, isFinal, isSuperseded, type Replica } from './replicas.ts'
import { creationOrder, type Place } from './slots.ts'

export interface Work {
  actions: Action[]
  reasons: Reason[]
  /** Times at which something becomes possible. */
  wakeAt: Instant[]
}

export function emptyWork(): Work {
  return { actions: [], reasons: [], wakeAt: [] }
}

export function deletePod(pod: Pod, replica: string | undefined, force = false): Action {
  const name = pod.metadata?.name ?? ''
  const uid = pod.metadata?.uid ?? ''
  return { verb: 'delete', kind: 'Pod', name, uid, ...(force && { force }), ...(replica && { replica }) }
}

/** Pods to get rid of while the job runs: granted restarts, losses, and what no replica stands for any more. */
export function removeSpentPods(
  model: JobModel,
  replicas: readonly Replica[],
  pods: ReadonlyMap<string, Pod>,
  observed: Observed,
): Action[] {
  const actions: Action[] = []
  const known = new Set(replicas.map(({ place }) => place.podName))
  for (const replica of replicas) {
    const { entry, pod, look, place } = replica
    if (!pod || pod.metadata?.deletionTimestamp) continue
    // Its training container has ended; without this its other containers would hold the pod for ever.
    const onlySidecarsLeft = look.is === 'ended' && look.othersRun
    const stranger = isFinal(entry) && pod.metadata?.uid !== entry.uid
    if (isSuperseded(replica) || onlySidecarsLeft || stranger) {
      actions.push(deletePod(pod, place.key, isNodeGone(pod, observed)))
    }
  }
  for (const [name, pod] of pods) {
    if (!known.has(name) && !pod.metadata?.deletionTimestamp) actions.push(deletePod(pod, undefined))
  }
  const wanted = wantedServices(
    model,
    replicas.map(({ place }) => place),
  )
  return [...actions, ...deleteServices(model, observed, (name) => !wanted.has(name))]
}

/** For a pause: pods are stopped gracefully, the place in the queue is given back. A TFJob's Services go too. */
export function stopEverything(model: JobModel, pods: ReadonlyMap<string, Pod>, observed: Observed): Action[] {
  const alive = [...pods.values()].filter((pod) => !pod.metadata?.deletionTimestamp)
  return [
    ...alive.map((pod) => deletePod(pod, undefined, isNodeGone(pod, observed))),
    ...(model.kind === 'TFJob' ? deleteServices(model, observed, () => true) : []),
    ...deletePodGroup(observed),
  ]
}

export function deleteServices(model: JobModel, observed: Observed, goes: (name: string) => boolean): Action[] {
  const own = observed.services.filter(({ metadata }) =>
    metadata?.ownerReferences?.some((o) => o.controller && o.uid === model.uid),
  )
  return own.flatMap(({ metadata }): Action[] => {
    const { name = '', uid = '', deletionTimestamp } = metadata ?? {}
    return goes(name) && !deletionTimestamp ? [{ verb: 'delete', kind: 'Service', name, uid }] : []
  })
}

export function isNodeGone(pod: Pod, observed: Observed): boolean {
  const node = pod.spec?.nodeName
  return node !== undefined && (!observed.nodes.has(node) || observed.nodes.get(node)!.outOfService)
}

/** Pods that should be gone by now but whose node does not answer. */
export function forceStuckPods(pods: Iterable<Pod>, observed: Observed, now: Instant): Work {
  const work = emptyWork()
  const { forceDeleteAfter } = observed.cluster
  for (const pod of pods) {
    const due = fromTimestamp(pod.metadata?.deletionTimestamp)
    if (due === undefined || !pod.spec?.nodeName) continue
    const silent = observed.nodes.get(pod.spec.nodeName)?.ready === false && forceDeleteAfter > 0
    const at = due + forceDeleteAfter * 1000
    if (isNodeGone(pod, observed) || (silent && now >= at)) {
      work.actions.push(deletePod(pod, undefined, true))
      work.reasons.push({
        object: 'job',
        type: 'Warning',
        event: 'ForceDeleted',
        message: `pod ${pod.metadata?.name} was stuck on node ${pod.spec.nodeName}, which does not answer; its old process may still run`,
      })
    } else if (silent) work.wakeAt.push(at)
  }
  return work
}

/** Services, PodGroup, TensorBoard, then the pods that are missing and may come now. */
export function createMissing(
  model: JobModel,
  replicas: readonly Replica[],
  observed: Observed,
  resumed: boolean,
  now: Instant,
): Work & { created: Place[] } {
  const work = emptyWork()
  const places = replicas.map(({ place }) => place)
  const services = new Set(observed.services.map((service) => service.metadata?.name))
  for (const [name, build] of wantedServices(model, places)) {
    if (!services.has(name)) work.actions.push({ verb: 'create', kind: 'Service', object: build() as KubeObject })
  }
  work.actions.push(...alignPodGroup(model, replicas, observed))
  if (model.tensorboard && observed.cluster.tensorboards && !observed.tensorboard) {
    work.actions.push({ verb: 'create', kind: 'TensorBoard', object: buildTensorBoard(model, model.tensorboard) })
  }
  const byKey = new Map(replicas.map((replica) => [replica.place.key, replica]))
  // Under restartScope Job nobody starts before all old pods are gone, lest an old rank join the new group.
  const held = model.restartScope === 'Job' && replicas.some(isSuperseded)
  const builder = new PodBuilder(model, observed.cluster, resumed)
  const created: Place[] = []
  for (const place of held ? [] : creationOrder(model, places)) {
    const { entry, pod } = byKey.get(place.key)!
    if (pod || isFinal(entry)) continue
    const notBefore = fromTimestamp(entry.restartAt)
    if (notBefore !== undefined && notBefore > now) {
      work.wakeAt.push(notBefore)
      continue
    }
    // Creating is licensed by the status that says so: it is written first, on the condition that nobody has meanwhile.
    entry.phase = 'Pending'
    entry.restartAt = undefined
    created.push(place)
    work.actions.push({
      verb: 'create',
      kind: 'Pod',
      object: builder.build(place, expectedAttempt(entry)) as KubeObject,
      replica: place.key,
    })
  }
  return { ...work, created }
}

function alignPodGroup(model: JobModel, replicas: readonly Replica[], observed: Observed): Action[] {
  const { gang } = model
  const { gangScheduler } = observed.cluster
  if (!gang || !gangScheduler) return []
  // Nobody will see a pod again of a replica that failed for good, or that succeeded and whose pod is gone.
  const gone = replicas.filter(({ entry, pod }) => isFinal(entry) && (entry.phase === 'Failed' || !pod)).length
  const minMember = Math.min(gang.minMember, replicas.length - gone)
  const wanted = buildPodGroup(model, gangScheduler, { ...gang, minMember })
  const there = observed.podGroup as (KubeObject & { spec?: Record<string, unknown> }) | undefined
  if (!wanted) return []
  if (!there) return [{ verb: 'create', kind: 'PodGroup', object: wanted }]
  // A group stays in the queue it was made for.
  const { queue: _, ...spec } = wanted.spec
  const same = Object.entries(spec).every(([field, value]) => there.spec?.[field] === value)
  if (there.metadata.deletionTimestamp || same) return []
  const { name = '', uid = '' } = there.metadata
  return [{ verb: 'patch', kind: 'PodGroup', name, uid, patch: { spec } }]
}

export function deletePodGroup({ podGroup }: Observed): Action[] {
  if (!podGroup || podGroup.metadata.deletionTimestamp) return []
  return [{ verb: 'delete', kind: 'PodGroup', name: podGroup.metadata.name ?? '', uid: podGroup.metadata.uid ?? '' }]
}
