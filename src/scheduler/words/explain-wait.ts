// Why a group waits, in one word for programs and one sentence for people: what it needs, what is free, who has it, who
// is ahead.
import { describeAmount, describeNumber } from '../facts/amounts.ts'
import type { Ground } from '../place/ground.ts'
import type { Hold, Waiting } from '../place/snapshot.ts'
import { explainQuota } from './explain-quota.ts'
import { explainRoom } from './explain-room.ts'

export interface Explanation {
  reason: string
  message: string
}

const NAMED = 8

export function explainWait(ground: Ground, waiting: Waiting): Explanation {
  const { reason, message } = explainHold(ground, waiting)
  return { reason, message: `${message}${describePosition(waiting)}` }
}

function explainHold(ground: Ground, waiting: Waiting): Explanation {
  const { hold, group, pods } = waiting
  const { reason } = hold
  switch (reason) {
    case 'GroupNotFound':
      return { reason, message: `its pod group ${group.name} does not exist` }
    case 'QueueNotFound':
      return { reason, message: `queue ${group.queue} does not exist; ${describeQueues(ground)}` }
    case 'QueueClosed':
      return { reason, message: `queue ${group.queue} is closed` }
    case 'NamespaceNotAllowed':
      return { reason, message: `queue ${group.queue} is not open to namespace ${group.namespace}` }
    case 'ShapeExceeded':
      return { reason, message: describeSize(hold, group.queue) }
    case 'NotEnoughMembers': {
      const of = hold.role === undefined ? 'its group' : `role ${hold.role} of its group`
      return { reason, message: `${hold.have} of the ${hold.want} pods that ${of} needs are there` }
    }
    case 'QuotaExceeded':
      return explainQuota(ground, waiting, hold)
    case 'InsufficientResources':
      return explainRoom(ground, waiting)
    case 'WaitingForRoom': {
      const leaving = hold.leaving === 1 ? '1 pod is leaving' : `${hold.leaving} pods are leaving`
      return {
        reason,
        message: `room is being made for ${pods.length === 1 ? 'it' : `its ${pods.length} pods`}: ${leaving}`,
      }
    }
  }
}

/** `queue q allows limits of 4 nvidia.com/gpu a pod (profile users), it has 8`. */
function describeSize(
  { what, resource, most, needs, profile }: Hold & { reason: 'ShapeExceeded' },
  queue: string | undefined,
): string {
  const rule = `queue ${queue} allows ${what} of ${describeAmount(resource, most)} a pod (profile ${profile})`
  return needs === undefined
    ? `${rule}, and every container has to say its ${what}.${resource}: one does not`
    : `${rule}, it has ${describeNumber(resource, needs)}`
}

/** `; 2nd of 3 in queue research, after train-a`. */
function describePosition({ group, position, of, ahead, above, hold }: Waiting): string {
  if (group.queue === undefined || hold.reason === 'QueueNotFound' || hold.reason === 'GroupNotFound') return ''
  const after = ahead.length > 0 ? `, after ${[...ahead].reverse().join(', ')}` : ''
  const more = position - 1 > ahead.length ? ` and ${position - 1 - ahead.length} more` : ''
  const first = above === 1 ? '1 of a queue of higher priority' : `${above} of queues of higher priority`
  const behind = above > 0 && hold.reason === 'InsufficientResources' ? `, behind ${first}` : ''
  return `; ${ordinal(position)} of ${of} in queue ${group.queue}${after}${more}${behind}`
}

function describeQueues(ground: Ground): string {
  const names = [...ground.queues.keys()].sort()
  if (names.length === 0) return 'there is none'
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, NAMED).join(', ')}${more}`
}

function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
