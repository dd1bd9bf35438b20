// A queue's quota is in the way.
import { describeNumber } from '../facts/amounts.ts'
import type { Ground } from '../place/ground.ts'
import type { Hold, Waiting } from '../place/snapshot.ts'
import { describeNeed } from './describe-need.ts'
import type { Explanation } from './explain-wait.ts'
import { describeHolders } from './holders.ts'

export function explainQuota(
  ground: Ground,
  { group, pods }: Waiting,
  { resource, needs, used, quota, ever }: Hold & { reason: 'QuotaExceeded' },
): Explanation {
  const count = Math.min(pods.length, Math.max(1, Math.round(needs / (pods[0]?.requests.get(resource) || needs))))
  const need = describeNeed(count, resource, needs)
  const all = describeNumber(resource, quota)
  if (ever)
    return { reason: 'QuotaTooSmall', message: `${need}, but the quota of queue ${group.queue} is ${all} in all` }
  const left = describeNumber(resource, Math.max(0, quota - used))
  const over = used > quota ? `; ${describeNumber(resource, used)} are in use, more than the quota` : ''
  const holders = describeHolders(ground, resource, group.queue)
  return {
    reason: 'QuotaExceeded',
    message: `${need}, ${left} of ${all} left in the quota of queue ${group.queue}${over}${holders}`,
  }
}
