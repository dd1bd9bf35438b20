// A Queue's status: what its pods use, and whether it lets anybody in.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { Queue, QueueStatus } from '../../api/queue/queue-object.ts'
import type { Instant } from '../../lib/time.ts'
import { describeAmount, describeNumber, quantitiesOf, requestsOf, sumOf } from '../facts/amounts.ts'
import { readQueue } from '../facts/read-objects.ts'
import { countPhases, holdsRoom } from './pod-counts.ts'
import { setCondition } from './set-condition.ts'

const PRESSURE = 0.9

type Use = [resource: string, used: number, most: number]

/** `counts`: the queue of this name that counts; another one of the same name is of no effect. */
export function buildQueueStatus(
  queue: Queue,
  counts: Queue,
  groups: number,
  pods: readonly Pod[],
  now: Instant,
): QueueStatus {
  const isUsed = counts.metadata.uid === queue.metadata.uid
  const { quota, closed } = readQueue(queue)
  const allocated = sumOf(isUsed ? pods.filter(holdsRoom).map(requestsOf) : [])
  const inUse = [...quota].map(([name, most]): Use => [name, allocated.get(name) ?? 0, most])
  const over = inUse.find(([, used, most]) => used > most)
  const pressed = over ?? inUse.find(([, used, most]) => used > PRESSURE * most)
  let conditions = setCondition(queue.status?.conditions ?? [], 'QueueClosed', closedVerdict(closed), now)
  conditions = setCondition(conditions, 'ResourcePressure', pressureVerdict(pressed), now)
  const overruled = `the queue ${counts.metadata.name} of namespace ${counts.metadata.namespace} counts instead`
  const knownAsUnused = conditions.some(({ type }) => type === 'Overruled')
  if (!isUsed || knownAsUnused) {
    const verdict = { status: isUsed ? ('False' as const) : ('True' as const), reason: isUsed ? 'InUse' : 'NameTaken' }
    conditions = setCondition(
      conditions,
      'Overruled',
      { ...verdict, message: isUsed ? 'Queue is in use' : overruled },
      now,
    )
  }
  return {
    conditions,
    allocated: quantitiesOf(allocated),
    podGroups: { total: isUsed ? groups : 0 },
    pods: countPhases(isUsed ? pods : []),
  }
}

function closedVerdict(closed: boolean) {
  return closed
    ? { status: 'True' as const, reason: 'QueueClosed', message: 'Queue is closed' }
    : { status: 'False' as const, reason: 'QueueOpen', message: 'Queue is open' }
}

function pressureVerdict(use: Use | undefined) {
  if (use === undefined)
    return {
      status: 'False' as const,
      reason: 'QueueHasNoResourcePressure',
      message: 'Queue has no resource pressure',
    }
  const [resource, used, most] = use
  const over = `${describeAmount(resource, used)} in use, more than the quota of ${describeNumber(resource, most)}: what runs goes on, nothing new is placed`
  const message = used > most ? over : `more than 90% of the quota of ${resource} is in use`
  return { status: 'True' as const, reason: 'QueueHasResourcePressure', message }
}
