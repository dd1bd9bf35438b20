import type { CommandContext } from '../context.ts'
import { cut } from '../output/text.ts'

export interface TransientLine {
  show(text: string): void
  /** Nothing of it stays. */
  clear(): void
}

const PACE = 5_000

/** What is going on, in one line that is written over; where there is no terminal, a line every few seconds. */
export function transientLine({ terminal, err }: CommandContext): TransientLine {
  if (terminal.errIsTerminal) {
    return {
      show: (text) => terminal.err(`\r\u001b[K${err.paint('dim', cut(text, err.width - 1, err.ellipsis))}`),
      clear: () => terminal.err('\r\u001b[K'),
    }
  }
  let saidAt = 0
  return {
    show(text) {
      if (Date.now() - saidAt < PACE) return
      saidAt = Date.now()
      terminal.err(`trainyard: ${text.replace(/ {2,}/, ': ')}\n`)
    },
    clear() {},
  }
}
