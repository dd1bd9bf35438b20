// Columns two blanks apart, no frames. Only the last column is ever cut.
import type { Style } from './terminal.ts'
import { cut, padEnd, padStart, printable, textWidth } from './text.ts'

export interface Column {
  header: string
  align?: 'left' | 'right'
  minimum?: number
}

export function renderTable(
  columns: readonly Column[],
  rows: ReadonlyArray<readonly string[]>,
  style: Style,
): string[] {
  const cells = rows.map((row) => row.map(printable))
  const widths = columns.map((column, i) =>
    Math.max(column.minimum ?? 0, textWidth(column.header), ...cells.map((row) => textWidth(row[i] ?? ''))),
  )
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  const renderRow = (row: readonly string[]) => {
    const line = columns
      .map((column, i) => {
        const text = row[i] ?? ''
        if (i === columns.length - 1)
          return cut(text, Math.max(style.ellipsis.length, style.width - before), style.ellipsis)
        return column.align === 'right' ? padStart(text, widths[i]!) : padEnd(text, widths[i]!)
      })
      .join('  ')
      .trimEnd()
    return cut(line, style.width, style.ellipsis)
  }
  return [style.paint('dim', renderRow(columns.map((column) => column.header))), ...cells.map(renderRow)]
}
