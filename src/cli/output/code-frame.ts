// The lines of a file a message is about, with a caret under the place.
import type { Lines, Position } from '../manifest/positions.ts'
import type { Style } from './terminal.ts'
import { printable, textWidth } from './text.ts'

const GUTTER = 5

/** `before`: show the line above too. Nothing where the file has no such line. */
export function codeFrame(lines: Lines, position: Position, before: boolean, style: Style): string[] {
  const line = lines.line(position.line)
  if (line === undefined || line.trim() === '') return []
  const room = Math.max(20, style.width - GUTTER - 3)
  const shown = excerpt(line, position.column - 1, room, style.ellipsis)
  const marked = textWidth(printable(line.slice(position.column - 1, position.column - 1 + position.length)))
  const length = Math.max(1, Math.min(marked, textWidth(shown.text) - shown.column))
  const frame = [`${numbered(position.line)} ${shown.text}`]
  const above = before ? lines.line(position.line - 1) : undefined
  if (above?.trim() && !shown.shifted) {
    frame.unshift(`${numbered(position.line - 1)} ${excerpt(above, 0, room, style.ellipsis).text}`)
  }
  return [...frame, `${' '.repeat(GUTTER)} | ${' '.repeat(shown.column)}${style.paint('red', '^'.repeat(length))}`]
}

function numbered(line: number): string {
  return `${String(line).padStart(GUTTER)} |`
}

/** What of a long line fits, with the column in sight. */
function excerpt(line: string, column: number, room: number, ellipsis: string) {
  const text = printable(line).trimEnd()
  if (textWidth(text) <= room) return { text, column: textWidth(text.slice(0, column)), shifted: false }
  const start = column < room - 20 ? 0 : column - Math.floor(room / 2)
  const head = start > 0 ? ellipsis : ''
  let piece = head
  let at = start
  for (const character of text.slice(start)) {
    if (textWidth(piece + character) > room - ellipsis.length) break
    piece += character
    at += character.length
  }
  const shownColumn = textWidth(head + text.slice(start, column))
  return { text: at < text.length ? piece + ellipsis : piece, column: shownColumn, shifted: start > 0 }
}
