// What is to be done for a TensorBoard, and what is to be said of it. Pure: the same look gives the same decision.
import type { Deployment, Pod, Service } from '../../../gen/kubernetes-types.ts'
import type { KubeObject, TensorBoard, TensorBoardStatus } from '../../api/types.ts'
import { type Instant, toTimestamp } from '../../lib/time.ts'
import { describeAwaiting } from './await-logs.ts'
import { buildDeployment, buildPod, buildService, GENERATION } from './build-workload.ts'
import { describePod } from './describe-pod.ts'
import { claimsAmong, readSources } from './sources.ts'

export type WorkloadKind = 'Deployment' | 'Service' | 'Pod'

export interface BoardView {
  /** The cluster runs Deployments. */
  deployments: boolean
  deployment?: Deployment & KubeObject
  service?: Service & KubeObject
  /** The board's own, or its Deployment's. */
  pods: ReadonlyArray<Pod & KubeObject>
  /** An object of this name is there and somebody else's, in words. */
  taken?: string
}

export type BoardAction =
  | { verb: 'create'; kind: WorkloadKind; object: KubeObject }
  | { verb: 'delete'; kind: WorkloadKind; object: KubeObject }

export interface BoardDecision {
  actions: BoardAction[]
  status: TensorBoardStatus
  /** When to look again though nothing has changed. */
  wakeAt?: Instant
}

/** How a board stands: `reason` and `message` are for people, in conditions, events and the job's status. */
export interface Standing {
  phase: 'Pending' | 'Running' | 'Paused' | 'Failed'
  reason: string
  message: string
}

export function decideBoard(board: TensorBoard, view: BoardView, now: Instant): BoardDecision {
  const { sources, problems } = readSources(board.spec)
  const pod = view.pods.find(({ metadata }) => !metadata.deletionTimestamp)
  if (isPaused(board)) {
    return decision(board, removeAll(view), pod, { phase: 'Paused', reason: 'Paused', message: 'it is suspended' }, now)
  }
  if (problems.length > 0) {
    const standing: Standing = { phase: 'Failed', reason: 'InvalidLogDir', message: problems.join('; ') }
    return decision(board, removeAll(view), pod, standing, now)
  }
  const actions = view.deployments
    ? [
        ...align(board, 'Service', view.service, () => buildService(board) as KubeObject),
        ...align(board, 'Deployment', view.deployment, () => buildDeployment(board, sources) as KubeObject),
      ]
    : align(board, 'Pod', ownPod(view), () => buildPod(board, sources) as KubeObject)
  if (view.taken !== undefined) {
    return decision(board, actions, pod, { phase: 'Failed', reason: 'NameTaken', message: view.taken }, now)
  }
  const awaiting = describeAwaiting(pod, claimsAmong(sources), now)
  const { wakeAt } = awaiting ?? {}
  return { ...decision(board, actions, pod, awaiting ?? describePod(pod, sources), now), wakeAt }
}

function isPaused({ spec }: TensorBoard): boolean {
  return spec.suspend ?? spec.runMode === 'paused'
}

/** One of a former spec goes, and so does a pod that has ended; the new one comes when the old one is gone. */
function align(
  board: TensorBoard,
  kind: WorkloadKind,
  there: KubeObject | undefined,
  build: () => KubeObject,
): BoardAction[] {
  if (!there) return [{ verb: 'create', kind, object: build() }]
  if (there.metadata.deletionTimestamp) return []
  const outdated = there.metadata.annotations?.[GENERATION] !== String(board.metadata.generation ?? 0)
  const ended = kind === 'Pod' && ['Failed', 'Succeeded'].includes((there as Pod).status?.phase ?? '')
  return outdated || ended ? [{ verb: 'delete', kind, object: there }] : []
}

function ownPod({ pods }: BoardView): (Pod & KubeObject) | undefined {
  return pods.find(({ metadata }) => metadata.ownerReferences?.some(({ kind }) => kind === 'TensorBoard'))
}

function removeAll(view: BoardView): BoardAction[] {
  const all: Array<[WorkloadKind, KubeObject | undefined]> = [
    ['Deployment', view.deployment],
    ['Service', view.service],
    ['Pod', ownPod(view)],
  ]
  return all.flatMap(([kind, object]) =>
    object && !object.metadata.deletionTimestamp ? [{ verb: 'delete' as const, kind, object }] : [],
  )
}

function decision(
  board: TensorBoard,
  actions: BoardAction[],
  pod: (Pod & KubeObject) | undefined,
  { phase, reason, message }: Standing,
  now: Instant,
): BoardDecision {
  const status = phase === 'Running' ? 'True' : 'False'
  const { conditions = [] } = board.status ?? {}
  const before = conditions.find(({ type }) => type === 'Ready')
  const since = before?.status === status ? before.lastTransitionTime : undefined
  const ready = { type: 'Ready', status, reason, message, lastTransitionTime: since ?? toTimestamp(now) } as const
  const { name, namespace } = board.metadata
  return {
    actions,
    status: {
      phase,
      ...(pod && { pod: { reference: { name: pod.metadata.name, uid: pod.metadata.uid }, phase: pod.status?.phase } }),
      conditions: [...conditions.filter(({ type }) => type !== 'Ready'), ready],
      ...(phase === 'Running' && hasService(pod) && { url: `http://${name}.${namespace}/` }),
    },
  }
}

/** A pod by itself has no Service before it, and so no address that others could use. */
function hasService(pod: Pod | undefined): boolean {
  return !pod?.metadata?.ownerReferences?.some(({ kind }) => kind === 'TensorBoard')
}
