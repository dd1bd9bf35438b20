// A rehearsal for people: one line that says how it ended, the picture, the timeline.
import { chooseRows, chooseStep, clock, drawAxis, drawRow, type Row } from './picture.ts'
import type { RehearsalResult } from './rehearse.ts'
import type { Scene, State } from './scene.ts'
import type { TimelineEntry } from './timeline.ts'

export interface RenderOptions {
  /** Columns of the terminal. */
  width: number
  colour: boolean
  /** False: marks that every terminal knows. */
  unicode: boolean
  /** How long the rehearsal itself took, in milliseconds. */
  took?: number
}

type Mark = State | 'succeeded'
const MARKS: Record<Mark, string> = {
  waiting: '·',
  running: '█',
  failed: '✗',
  paused: '‖',
  succeeded: '✓',
  nothing: ' ',
}
const PLAIN: Record<Mark, string> = {
  waiting: '.',
  running: '=',
  failed: 'x',
  paused: '|',
  succeeded: 'o',
  nothing: ' ',
}
const SHADES = { waiting: 33, running: 36, failed: 31, paused: 2, succeeded: 32, nothing: 0, bold: 1, dim: 2 }
const PHASE_SHADES: Record<string, number> = { Running: 36, Succeeded: 32, Failed: 31 }

interface Pen {
  mark(mark: Mark, times?: number): string
  ink(shade: number, text: string): string
  ellipsis: string
  width: number
}

export function renderRehearsal(result: RehearsalResult, options: RenderOptions): string {
  const ink: Pen['ink'] = (shade, text) => (options.colour && shade > 0 && text ? `\x1b[${shade}m${text}\x1b[0m` : text)
  const marks = options.unicode ? MARKS : PLAIN
  const pen: Pen = {
    ink,
    mark: (mark, times = 1) => ink(SHADES[mark], marks[mark].repeat(times)),
    ellipsis: options.unicode ? '…' : '...',
    width: options.width,
  }
  const lines = [
    headline(result, pen, options.took),
    '',
    ...drawPicture(result.scene, pen),
    '',
    ...drawTimeline(result.timeline, pen),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function headline({ phase, scene }: RehearsalResult, pen: Pen, took: number | undefined): string {
  const after = clock(scene.deletedAt ?? scene.endedAt)
  const used =
    scene.limit === undefined
      ? `${scene.restarts || 'no'} restart${scene.restarts === 1 ? '' : 's'}`
      : `${scene.restarts} of ${scene.limit} restarts used`
  const time = took === undefined ? '' : `        ${pen.ink(SHADES.dim, `(took ${Math.max(1, Math.round(took))} ms)`)}`
  const name = pen.ink(SHADES.bold, scene.name)
  return `${name}: ${pen.ink(PHASE_SHADES[phase] ?? 33, phase)} after ${after} of virtual time, ${used}${time}`
}

function drawPicture(scene: Scene, pen: Pen): string[] {
  const indent = 4 + Math.max(0, ...scene.actors.map(({ replica }) => replica.length))
  // Two columns at the right for the mark at the end.
  const step = chooseStep(scene.endedAt, pen.width - indent - 2)
  const chosen = chooseRows(scene.actors.map((actor) => drawRow(actor, scene.endedAt, step)))
  const rows = chosen.rows.map((row) => `  ${row.replica.padEnd(indent - 2)}${bar(row, pen)}`.trimEnd())
  if (chosen.left > 0) rows.push(`  ${pen.ellipsis} ${chosen.left} ${chosen.alike ? 'alike' : 'more'}`)
  const legend = (['waiting', 'running', 'failed', 'paused', 'succeeded'] as const).map(
    (mark) => `${pen.mark(mark)} ${mark}`,
  )
  const blank = ' '.repeat(indent)
  return [
    ...rows,
    blank + pen.ink(SHADES.dim, drawAxis(scene.endedAt, step, pen.width - indent)),
    blank + legend.join('   '),
  ]
}

function bar({ columns, end }: Row, pen: Pen): string {
  let text = ''
  for (let from = 0; from < columns.length; ) {
    let to = from
    while (to < columns.length && columns[to] === columns[from]) to++
    text += pen.mark(columns[from]!, to - from)
    from = to
  }
  return end ? `${text} ${pen.mark(end)}` : text
}

function drawTimeline(entries: readonly TimelineEntry[], pen: Pen): string[] {
  // A replica's success is in the picture.
  const timeline = entries.filter(({ object, event }) => object === 'job' || event !== 'Succeeded')
  const times = timeline.map((entry) => clock(entry.at * 1000))
  const wide = (texts: readonly string[], least: number): number =>
    texts.reduce((most, text) => Math.max(most, text.length), least)
  const timeWidth = wide(times, 0)
  const objectWidth = wide(
    timeline.map((entry) => entry.object),
    0,
  )
  const eventWidth = wide(
    timeline.map((entry) => entry.event),
    10,
  )
  return timeline.map(({ object, event, message }, i) => {
    const start = `  ${times[i]!.padStart(timeWidth)}  ${object.padEnd(objectWidth)}  ${event.padEnd(eventWidth)}  `
    return cut(start + message.replace(/\s+/g, ' '), pen)
  })
}

function cut(line: string, pen: Pen): string {
  return line.length <= pen.width ? line : line.slice(0, Math.max(0, pen.width - pen.ellipsis.length)) + pen.ellipsis
}
