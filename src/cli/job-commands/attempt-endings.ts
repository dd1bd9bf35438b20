// How earlier attempts of a replica ended, as far as events and the beginnings of their logs tell.
import type { Instant } from '../../lib/time.ts'
import type { JobEvent } from './job-events.ts'

export interface Start {
  attempt: number
  uid: string
  at: Instant
}

export interface Outcome {
  phase: string
  exitCode?: number
  /** Milliseconds. */
  ran?: number
}

const A_SECOND = 1_000

export interface Ending {
  at: Instant
  /** One of many told in one event: it was between then and this. */
  until?: Instant
  message: string
}

const ENDINGS = new Set(['ReplicaFailed', 'ReplicaSucceeded', 'ExitedWithCode'])

export function endingsOf(events: readonly JobEvent[], replica: string): Ending[] {
  return events
    .filter(({ object, reason }) => object === replica && ENDINGS.has(reason))
    .flatMap(({ first, last, count, message }): Ending[] => [
      { at: first, message },
      ...Array.from({ length: Math.max(0, count - 2) }, () => ({ at: first, until: last, message })),
      ...(count > 1 ? [{ at: last, message }] : []),
    ])
    .sort((a, b) => a.at - b.at)
}

const PAUSES = new Set(['Paused', 'TFJobSuspended'])

/** The first and the last: of more than two told in one event, the others have no known time. */
export function pausesOf(events: readonly JobEvent[]): Instant[] {
  return events.filter(({ reason }) => PAUSES.has(reason)).flatMap(({ first, last }) => [first, last])
}

/** Takes the attempt's own out of the endings; one without was stopped: by a pause, or with the whole job. */
export function endingOf(
  endings: Ending[],
  pauses: readonly Instant[],
  attempt: number,
  starts: readonly Start[],
): Outcome {
  const start = starts.find((each) => each.attempt === attempt)
  const next = starts.find((each) => each.attempt === attempt + 1)
  // Events are told in whole seconds, so two attempts may claim one; it was the earlier's.
  const fits = ({ at, until = at }: Ending): boolean =>
    !start || (until + A_SECOND > start.at && (!next || at <= next.at))
  const known = endings.findIndex((ending) => ending.until === undefined && fits(ending))
  const paused = start && pauses.find((at) => at >= start.at && (!next || at <= next.at))
  const found = start && (known >= 0 || paused !== undefined) ? known : endings.findIndex(fits)
  const [own] = found < 0 ? [] : endings.splice(found, 1)
  if (!own) {
    const stopped = paused ?? next?.at
    return { phase: 'Stopped', ...(start && stopped !== undefined && { ran: stopped - start.at }) }
  }
  const code = /(?:exit|code):? (\d+)/.exec(own.message)?.[1]
  return {
    phase: code === '0' ? 'Succeeded' : 'Failed',
    ...(code !== undefined && { exitCode: Number(code) }),
    ...(start && own.until === undefined && { ran: Math.max(0, own.at - start.at) }),
  }
}
