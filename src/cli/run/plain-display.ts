// Not a terminal: lines of the replicas to standard output, notices with the job's clock to standard error.
import type { Terminal } from '../output/terminal.ts'
import { printable } from '../output/text.ts'
import type { Display } from './display.ts'
import type { JobView } from './view/job-view.ts'
import { clock } from './words.ts'

export function plainDisplay(terminal: Terminal, view: JobView, now: () => number): Display {
  const width = Math.max(...view.replicas.map(({ place }) => place.key.length))
  return {
    line: ({ place }, text) => terminal.out(`${place.key.padEnd(width)} | ${text}\n`),
    notice: ({ text, detail }) => {
      terminal.err(`trainyard: ${clock(view.elapsed(now()))} ${printable(text)}\n`)
      if (detail) terminal.err(`  ${printable(detail)}\n`)
    },
    changed: () => {},
    finish: ({ plain, account, hints }) => {
      terminal.err(`trainyard: ${plain}\n`)
      if (view.phase === 'Failed') terminal.err([...account, ...hints].map((line) => `  ${line}\n`).join(''))
    },
    leave: () => {},
  }
}
