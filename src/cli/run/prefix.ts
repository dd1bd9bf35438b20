import type { Style } from '../output/terminal.ts'

/** By rank, always the same one; none of them means anything. */
const COLOURS = [36, 35, 34, 32, 33, 96]

export function paintPrefix(text: string, rank: number, style: Style): string {
  return style.coloured ? `\u001b[${COLOURS[rank % COLOURS.length]}m${text}\u001b[39m` : text
}
