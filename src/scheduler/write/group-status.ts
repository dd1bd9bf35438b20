// A PodGroup's status: whether it is placed, and how its pods are doing.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { PodGroup, PodGroupStatus, SchedulingCondition } from '../../api/queue/queue-object.ts'
import type { Instant } from '../../lib/time.ts'
import { quantitiesOf, requestsOf, sumOf } from '../facts/amounts.ts'
import { ROLE_LABEL } from '../facts/labels.ts'
import { countPhases, holdsRoom } from './pod-counts.ts'
import { setCondition } from './set-condition.ts'

type Verdict = Pick<SchedulingCondition, 'status' | 'reason' | 'message'>

const SCHEDULED: Verdict = {
  status: 'True',
  reason: 'PodGroupScheduled',
  message: 'Resources have been allocated to PodGroup',
}

/** `waits`: why it is not placed, where the scheduler has found out. Undefined: too early to say anything. */
export function buildGroupStatus(
  { spec, status: before = {} }: PodGroup,
  pods: readonly Pod[],
  waits: { reason: string; message: string } | undefined,
  now: Instant,
): PodGroupStatus | undefined {
  const staying = pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
  const members = staying.filter(({ status }) => status?.phase !== 'Failed')
  const there = members.filter((pod) => pod.spec?.nodeName !== undefined || pod.status?.phase === 'Succeeded')
  const wasPlaced =
    before.conditions?.some(({ type, status }) => type === 'GroupScheduled' && status === 'True') ?? false
  const runs = there.some(holdsRoom)
  const placed = isEnough(spec, there) && there.length > 0 ? true : wasPlaced && (runs || isOver(pods))
  if (!placed && waits === undefined && !wasPlaced) return undefined

  let { conditions = [] } = before
  const lost: Verdict = { status: 'False', reason: 'PodsLost', message: 'its pods were removed from their nodes' }
  const waiting: Verdict = waits ? { status: 'False', ...waits } : lost
  const sufficient = isEnough(spec, members) || wasPlaced
  conditions = setCondition(conditions, 'GroupScheduled', placed ? SCHEDULED : waiting, now, true)
  conditions = setCondition(
    conditions,
    'SufficientGroupMember',
    memberVerdict(sufficient, spec, members.length),
    now,
    true,
  )
  return {
    conditions,
    allocated: quantitiesOf(sumOf(pods.filter(holdsRoom).map(requestsOf))),
    ...countPhases(pods),
  }
}

function isEnough(spec: PodGroup['spec'], members: readonly Pod[]): boolean {
  if (members.length < (spec?.minMember ?? 0)) return false
  return (spec?.roles ?? []).every(({ name, minMember = 0 }) => {
    return members.filter(({ metadata }) => metadata?.labels?.[ROLE_LABEL] === name).length >= minMember
  })
}

/** Nothing of it will run any more. */
function isOver(pods: readonly Pod[]): boolean {
  return pods.length > 0 && pods.every(({ status }) => status?.phase === 'Succeeded' || status?.phase === 'Failed')
}

function memberVerdict(sufficient: boolean, spec: PodGroup['spec'], have: number): Verdict {
  return sufficient
    ? { status: 'True', reason: 'SufficientMemberPods', message: 'The pod group has enough pods' }
    : {
        status: 'False',
        reason: 'InsufficientMemberPods',
        message: `${have} of ${spec?.minMember ?? 0} pods are there`,
      }
}
