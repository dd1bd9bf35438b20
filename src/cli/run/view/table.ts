// The table that stays at the bottom of the terminal.
import type { Instant } from '../../../lib/time.ts'
import type { Colour, Style } from '../../output/terminal.ts'
import { cut, padEnd, padStart, printable, textWidth } from '../../output/text.ts'
import { clock, span } from '../words.ts'
import type { JobView } from './job-view.ts'
import { lastLineOf } from './last-line.ts'
import { type Replica, type ReplicaState, waitOf } from './replica-view.ts'

export interface Size {
  columns: number
  rows: number
}

const PAGE = 100
/** Narrower than this there is no room for LAST LINE. */
const NARROW = 60
/** STATE and FOR share this much, two blanks between them included. */
const STATE_AND_TIME = 15
/** The blank line above, the two headings, the line for the rest, and where the cursor stands. */
const OTHER_LINES = 5
const FEWEST_ROWS = 3

const COLOURS: Record<string, Colour> = { Running: 'cyan', Succeeded: 'green', Failed: 'red' }

export function colourOf(state: string): Colour {
  return COLOURS[state] ?? 'yellow'
}

export function renderJob(view: JobView, now: Instant, style: Style, size: Size): string[] {
  const shown = chooseRows(view, size.rows - OTHER_LINES)
  const hidden = view.replicas.filter((replica) => !shown.includes(replica))
  const more = `${style.ellipsis} ${hidden.length} more: ${countStates(hidden).join(', ')}`
  return [
    renderHeading(view, now, style, size.columns),
    ...renderRows(view, shown, now, style, size.columns),
    ...(hidden.length > 0 ? [cut(more, size.columns, style.ellipsis)] : []),
  ]
}

/** `digits  Running  0:04                         4 running`. */
function renderHeading(view: JobView, now: Instant, style: Style, columns: number): string {
  const { name } = view.model
  const time = clock(view.elapsed(now))
  const left = `${name}  ${view.phase}  ${time}`
  const right = countStates(view.replicas).join(style.utf8 ? ' · ' : ' . ')
  const room = Math.min(PAGE, columns) - textWidth(left)
  const painted = `${style.paint('bold', name)}  ${style.paint(colourOf(view.phase), view.phase)}  ${time}`
  if (room < 3) return cut(left, columns, style.ellipsis)
  return `${painted}${padStart(cut(right, room - 2, style.ellipsis), room)}`
}

const ORDER = ['running', 'starting', 'pending', 'paused', 'succeeded', 'failed']

/** `3 running`, `1 starting`. */
function countStates(replicas: readonly Replica[]): string[] {
  const counts = new Map<string, number>()
  for (const { state } of replicas) {
    const word = state === 'Restarting' ? 'starting' : state.toLowerCase()
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return ORDER.filter((word) => counts.has(word)).map((word) => `${counts.get(word)} ${word}`)
}

const TROUBLED: readonly ReplicaState[] = ['Failed', 'Restarting', 'Pending', 'Starting']

/** All by rank if they fit; else those in trouble, the one that decides, the lowest ranks. */
function chooseRows(view: JobView, room: number): readonly Replica[] {
  const { replicas, model } = view
  const most = Math.max(FEWEST_ROWS, room)
  // The line for the rest is only there if there is a rest.
  if (replicas.length <= most + 1) return replicas
  const turn = ({ state, place }: Replica): number => {
    const trouble = TROUBLED.indexOf(state)
    if (trouble >= 0) return trouble
    const decides = model.master?.type === place.type && model.master.index === place.index
    return decides ? TROUBLED.length : TROUBLED.length + 1
  }
  return [...replicas].sort((a, b) => turn(a) - turn(b) || a.place.rank - b.place.rank).slice(0, most)
}

function renderRows(
  view: JobView,
  replicas: readonly Replica[],
  now: Instant,
  style: Style,
  columns: number,
): string[] {
  const cells = replicas.map((replica) => ({
    key: replica.place.key,
    rank: String(replica.place.rank),
    state: replica.state,
    time: view.finished ? span(ranFor(replica, now), true) : span(now - replica.since, replica.state === 'Starting'),
    restarts: String(view.entryOf(replica.place)?.restartCount ?? 0),
    last: printable(lastLineOf(replica, waitOf(view.entryOf(replica.place), now))),
  }))
  const keyWidth = Math.max('REPLICA'.length, ...cells.map(({ key }) => key.length))
  const rankWidth = Math.max('RANK'.length, ...cells.map(({ rank }) => rank.length))
  const middle = Math.max(STATE_AND_TIME, ...cells.map(({ state, time }) => state.length + 2 + time.length))
  const before = keyWidth + 2 + rankWidth + 2 + middle + 2 + 'RESTARTS'.length
  const line = (
    key: string,
    rank: string,
    state: string,
    time: string,
    restarts: string,
    last: string,
    dim: boolean,
  ) => {
    const gap = ' '.repeat(Math.max(2, middle - state.length - time.length))
    const paint = (colour: Colour, text: string): string => (dim ? text : style.paint(colour, text))
    const fixed = [
      padEnd(key, keyWidth),
      padStart(rank, rankWidth),
      `${paint(colourOf(state), state)}${gap}${paint('dim', time)}`,
      padStart(restarts, 'RESTARTS'.length),
    ].join('  ')
    if (columns < before)
      return cut(`${padEnd(key, keyWidth)}  ${padStart(rank, rankWidth)}  ${state}`, columns, style.ellipsis)
    const room = columns - before - 2
    if (columns < NARROW || room < 1 || last === '') return fixed
    return `${fixed}  ${cut(last, room, style.ellipsis)}`
  }
  const header = line('REPLICA', 'RANK', 'STATE', view.finished ? 'RAN' : 'FOR', 'RESTARTS', 'LAST LINE', true)
  return [
    style.paint('dim', header),
    ...cells.map(({ key, rank, state, time, restarts, last }) => line(key, rank, state, time, restarts, last, false)),
  ]
}

/** Of a finished job: how long the last attempt ran, or has run so far. */
function ranFor({ end, state, since, pod }: Replica, now: Instant): number {
  if (state === 'Running') return now - since
  return end && (pod === undefined || pod.metadata?.uid === end.uid) ? end.ran : 0
}
