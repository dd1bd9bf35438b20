// What every command gets: where to write, how, and in which format.
import { type DataFormat, dataFormat } from './output/data.ts'
import { type ColourChoice, type Style, styleFor, type Terminal } from './output/terminal.ts'
import { UsageError } from './usage-error.ts'

export interface CommandContext {
  terminal: Terminal
  format: DataFormat | undefined
  /** Of standard output. */
  out: Style
  /** Of standard error. */
  err: Style
}

export function contextFor(terminal: Terminal, options: { output?: string; color?: string | boolean }): CommandContext {
  const choice = colourChoice(options.color)
  return {
    terminal,
    format: dataFormat(options.output),
    out: styleFor(terminal, 'out', choice),
    err: styleFor(terminal, 'err', choice),
  }
}

function colourChoice(value: string | boolean | undefined): ColourChoice {
  if (value === undefined) return 'auto'
  if (value === true) return 'always'
  if (value === 'auto' || value === 'always' || value === 'never') return value
  throw new UsageError(`--color=${value}: it is auto, always or never`)
}
