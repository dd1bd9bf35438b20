// The last words about a finished job.
import type { Instant } from '../../../lib/time.ts'
import { cut } from '../../output/text.ts'
import { clock, duration } from '../words.ts'
import type { JobView } from './job-view.ts'
import { tame } from './last-line.ts'
import { failedInOrder, reasonOf, restartWords, whyNotAgain } from './outcome-words.ts'
import type { Replica } from './replica-view.ts'

/** What the summary says beyond the job itself. */
export interface Surroundings {
  /** ` -n other`, ` --context lab`: what a command needs besides the job's name. */
  flags: string
  /** Where a replica's process ran, if it is known and another directory than its user's. */
  strayFile?: (replica: Replica) => string | undefined
}

const LAST_LINES = 3
const WIDEST = 200

export interface Summary {
  /** `digits succeeded in 19 s: …`. */
  live: string
  /** `0:19 digits Succeeded: …`. */
  plain: string
  /** Below either, indented: what is known of the failure. */
  account: string[]
  /** Commands to go on with. */
  hints: string[]
}

export function buildSummary(view: JobView, now: Instant, around: Surroundings): Summary {
  return view.phase === 'Succeeded' ? success(view, now, around) : failure(view, now, around)
}

function success(view: JobView, now: Instant, { flags }: Surroundings): Summary {
  const { name } = view.model
  const took = view.elapsed(now)
  const reason = reasonOf(view)
  return {
    live: `${name} succeeded in ${duration(took)}: ${reason}.${restartWords(view, true)}`,
    plain: `${clock(took)} ${name} Succeeded: ${reason}.${restartWords(view, false)}`,
    account: [],
    hints: [`logs     trainyard logs ${name}${flags}`, `details  trainyard describe ${name}${flags}`],
  }
}

function failure(view: JobView, now: Instant, around: Surroundings): Summary {
  const { name } = view.model
  const took = view.elapsed(now)
  const [first, second] = failedInOrder(view)
  const lead = first && second ? `, ${gap(first, second)} before ${second.place.key}` : ''
  const who = first ? ` First to fail: ${first.place.key}, ${first.end!.words}${lead}.` : ''
  const why = first && view.record.finishedBy === 'Failure' ? '' : ` ${sentence(reasonOf(view))}.`
  const plainWhy = reasonOf(view)
  return {
    live: `${name} failed after ${duration(took)}.${why}${who}`,
    plain: `${clock(took)} ${name} Failed: ${plainWhy}.${who}`,
    account: first ? accountOf(view, first, around) : [],
    hints: hintsFor(view, first, around.flags),
  }
}

function accountOf(view: JobView, first: Replica, { strayFile }: Surroundings): string[] {
  const { key } = first.place
  const lines = first.end?.uid === first.linesOf ? first.lines.slice(-LAST_LINES) : []
  const why = whyNotAgain(view, view.model, first)
  const stray = strayFile?.(first)
  return [
    ...(lines.length > 0
      ? [`${key}'s last lines:`, ...lines.map((line) => `  ${cut(tame(line, false), WIDEST, '...').trimEnd()}`)]
      : []),
    ...(lines.length === 0 && !first.end?.cannotStart && !first.end?.culprit ? [`${key} wrote nothing.`] : []),
    ...(why ? [why] : []),
    ...(stray ? [stray] : []),
  ]
}

function hintsFor(view: JobView, first: Replica | undefined, flags: string): string[] {
  const { name } = view.model
  const culprit = first?.end?.culprit
  return [
    ...(culprit ? [`its words    trainyard logs ${name} --replica ${first.place.key} -c ${culprit}${flags}`] : []),
    ...(first ? [`look inside  trainyard debug ${name} ${first.place.key}${flags}`] : []),
    `all logs     trainyard logs ${name}${flags}`,
    ...(first ? [] : [`details      trainyard describe ${name}${flags}`]),
  ]
}

function gap(first: Replica, second: Replica): string {
  return `${((second.end!.at - first.end!.at) / 1000).toFixed(1)} s`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
