// What a job's pods wait for, said once for all of them.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { holdUpOf } from '../../core/hold-up.ts'
import { groupBy } from '../../lib/group-by.ts'
import { type AnyJob, isFinished } from '../home/running-jobs.ts'
import { refusalOf } from '../run/view/refusal.ts'

/** What keeps this pod from running; undefined if nothing does, or nobody has looked yet. */
function whyHeldUp(pod: Pod): string | undefined {
  return holdUpOf(pod)?.message
}

/** What a job waits for: pods that may not be made, and pods that cannot run. */
export function describeDelay(job: AnyJob, pods: readonly Pod[]): string | undefined {
  if (isFinished(job)) return undefined
  return [refusalOf(job), describeWaiting(pods)].filter((words) => words !== undefined).join('; ') || undefined
}

/** Our scheduler speaks of a gang as a whole. */
const SPEAKS_FOR_ALL =
  /^(\d+ pods need |each of \d+ pods |its \d+ pods |\d+ of the \d+ pods |its pod group |queue \S+ is |queue \S+ does not exist|room is being made|what is free is kept)/

/** `5 pods need 10 CPU together, 2 of 8 are free; mnist-elastic holds 4, sweep-3 holds 2`. */
export function describeWaiting(pods: readonly Pod[]): string | undefined {
  const reasons = pods.map(whyHeldUp).filter((reason) => reason !== undefined)
  if (reasons.length === 0) return undefined
  const [said] = new Set(reasons)
  if (reasons.every((reason) => reason === said) && SPEAKS_FOR_ALL.test(said!)) return said
  const needs = reasons.map(parseNeed)
  const [first] = needs
  if (first && needs.every((need) => need?.what === first.what && need.rest === first.rest)) {
    const sum = needs.reduce((total, need) => total + need!.amount, 0)
    const amount = `${Math.round(sum * 100) / 100}${first.what}`
    return needs.length === 1
      ? `1 pod needs ${amount}, ${first.rest}`
      : `${needs.length} pods need ${amount} together, ${first.rest}`
  }
  return [...groupBy(reasons, (reason) => reason)]
    .map(([reason, all]) => `${all.length} ${all.length === 1 ? 'pod' : 'pods'}: ${reason}`)
    .join('; ')
}

interface Need {
  amount: number
  /** With its unit: ` CPU`, `Mi memory`. */
  what: string
  rest: string
}

/** The words of our own scheduler; others say it their way. */
function parseNeed(reason: string): Need | undefined {
  const match = /^needs (\d+(?:\.\d+)?)([^,]*), ((\S+) of \S+) free(;.*)?$/.exec(reason)
  if (!match) return undefined
  const [, amount, what, free, left, holders = ''] = match
  return { amount: Number(amount), what: what!, rest: `${free} ${left === '1' ? 'is' : 'are'} free${holders}` }
}
