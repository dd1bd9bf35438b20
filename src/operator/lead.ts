import { abortOf, type ElectionOptions, standForElection } from '../kube/index.ts'
import { type Operator, type OperatorOptions, startOperator } from './operator.ts'

export interface LeadOptions extends OperatorOptions {
  /** With a client of its own: a renewal that queued behind the jobs' writes would come too late in a burst. */
  election: Pick<ElectionOptions, 'client' | 'namespace' | 'name' | 'identity' | 'leaseSeconds'>
  /** Called when this one has become the operator at work, and when it no longer is. */
  onLead?: (operator: Operator | undefined) => void
}

/** Several operators, one at work: it runs while the Lease is ours. Resolves when `signal` aborts and all is put away. */
export function operateWhileLeading({ election, onLead, ...options }: LeadOptions, signal: AbortSignal): Promise<void> {
  return standForElection(
    {
      ...election,
      onError: (error) => options.onError?.('the election', error),
      async lead(term, holds) {
        const operator = startOperator({ ...options, leads: holds })
        onLead?.(operator)
        await abortOf(term)
        onLead?.(undefined)
        await operator.stop()
      },
    },
    signal,
  )
}
