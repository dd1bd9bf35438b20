// Rows of states over time, one column a round number of seconds.

import { groupBy } from '../lib/group-by.ts'
import type { Actor, State } from './scene.ts'

const ROUND = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400]
const MOST_ROWS = 20
/** Columns from one time on the axis to the next. */
const AXIS_STEP = 10

export interface Row {
  replica: string
  columns: State[]
  end?: Actor['end']
}

/** The shortest round step, in milliseconds, with which so long a time fits. */
export function chooseStep(duration: number, columns: number): number {
  const fits = (seconds: number): boolean => Math.ceil(duration / (seconds * 1000)) <= Math.max(1, columns)
  let step = ROUND.find(fits) ?? ROUND.at(-1)!
  while (!fits(step)) step *= 2
  return step * 1000
}

export function drawRow({ replica, spans, failures, end }: Actor, duration: number, step: number): Row {
  const columns: State[] = []
  let span = 0
  let failure = 0
  for (let from = 0; from < duration; from += step) {
    while (span + 1 < spans.length && spans[span + 1]!.from <= from) span++
    while (failure < failures.length && failures[failure]! < from) failure++
    // However short, a failure is seen.
    const failed = failure < failures.length && failures[failure]! < from + step
    columns.push(failed ? 'failed' : (spans[span]?.state ?? 'nothing'))
  }
  while (columns.at(-1) === 'nothing') columns.pop()
  return { replica, columns, ...(end && { end }) }
}

/** Many rows: those that differ from the usual one, one of the usual, and how many are left out. */
export function chooseRows(rows: readonly Row[]): { rows: Row[]; left: number; alike: boolean } {
  if (rows.length <= MOST_ROWS) return { rows: [...rows], left: 0, alike: true }
  const kinds = groupBy(rows, looksOf)
  const [usual] = [...kinds.values()].sort((a, b) => b.length - a.length)
  const telling = rows.filter((row) => row === usual![0] || looksOf(row) !== looksOf(usual![0]!))
  const shown = telling.slice(0, MOST_ROWS)
  return { rows: shown, left: rows.length - shown.length, alike: shown.length === telling.length }
}

function looksOf({ columns, end }: Row): string {
  return `${columns.join()} ${end ?? ''}`
}

/** A time that would stand beyond the last column of the room is left out. */
export function drawAxis(duration: number, step: number, room: number): string {
  let axis = ''
  for (let column = 0; column * step < duration; column += AXIS_STEP) {
    const time = clock(column * step)
    if (column + time.length <= room) axis = axis.padEnd(column) + time
  }
  return axis
}

/** `1:42`, `24:00:00` */
export function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const two = (n: number): string => String(n).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}
