// How long --timeout lets a command wait: `90s`, `1h30m`, or a number of seconds as timeout(1) takes it.
import { parseDuration } from '../rehearse/duration.ts'
import { UsageError } from './usage-error.ts'

export interface Timeout {
  millis: number
  /** As it was typed. */
  text: string
}

/** What a timer of Node can hold; a longer one would be over at once. */
const LONGEST = 2 ** 31 - 1

export function timeoutOf(text: string | undefined): Timeout | undefined {
  if (text === undefined) return undefined
  const millis = parseDuration(/^\d+(\.\d+)?$/.test(text) ? `${text}s` : text)
  if (typeof millis === 'string') throw new UsageError(`--timeout ${text}: a duration such as 90s, 5m or 1h30m`)
  if (millis > LONGEST) throw new UsageError(`--timeout ${text}: at most 24d`)
  return { millis, text }
}
