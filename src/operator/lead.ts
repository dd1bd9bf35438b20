import { abortOf, type ElectionOptions, type KubeClient, standForElection } from '../kube/index.ts'
import { type Operator, startOperator } from './operator.ts'
import { type OperatorOptions, worldFor } from './options.ts'

export interface LeadOptions extends Omit<OperatorOptions, 'term'> {
  /** With a client of its own: a renewal that queued behind the jobs' writes would come too late in a burst. */
  election: Pick<ElectionOptions, 'namespace' | 'name' | 'identity' | 'leaseSeconds'> & {
    client: ElectionOptions['client'] & Pick<KubeClient, 'serverTime'>
  }
  /** Called when this one has become the operator at work, and when it no longer is. */
  onLead?: (operator: Operator | undefined) => void
}

/**
 * Several operators, one at work: the one whose Lease it is. The others know the cluster too: reading thousands of jobs takes
 * longer than taking over, and a leader that just lost its Lease would have to do it again. Resolves when `signal` aborts and
 * all is put away.
 */
export async function operateWhileLeading(options: LeadOptions, signal: AbortSignal): Promise<void> {
  const { election, onLead, ...rest } = options
  const world = worldFor(rest)
  const watching = new AbortController()
  const watched = world.run(watching.signal)
  await standForElection(
    {
      ...election,
      onError: (error) => options.onError?.('the election', error),
      async lead(over, holds) {
        const operator = startOperator({ ...rest, term: { world, began: election.client.serverTime, holds } })
        onLead?.(operator)
        await abortOf(over)
        onLead?.(undefined)
        await operator.stop()
      },
    },
    signal,
  )
  watching.abort()
  await watched
}
