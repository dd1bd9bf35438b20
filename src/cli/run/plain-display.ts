// Not a terminal: lines of the replicas to standard output, notices with the job's clock to standard error.
import type { Terminal } from '../output/terminal.ts'
import { printable } from '../output/text.ts'
import type { Display } from './display.ts'
import type { JobView } from './view/job-view.ts'
import { clock } from './words.ts'

const ENOUGH = 1 << 16

export function plainDisplay(terminal: Terminal, view: JobView, now: () => number): Display {
  const width = Math.max(...view.replicas.map(({ place }) => place.key.length))
  // Many short lines in few writes; they appear as soon as nothing else is to be done, and before what is said next.
  let waiting = ''
  let soon: NodeJS.Immediate | undefined
  const flush = (): void => {
    clearImmediate(soon)
    soon = undefined
    if (waiting !== '') terminal.out(waiting)
    waiting = ''
  }
  return {
    line: ({ place }, text) => {
      waiting += `${place.key.padEnd(width)} | ${text}\n`
      if (waiting.length >= ENOUGH) flush()
      else soon ??= setImmediate(flush)
    },
    ready: async () => {
      flush()
      await terminal.drained?.()
    },
    notice: ({ text, detail }) => {
      flush()
      terminal.err(`trainyard: ${clock(view.elapsed(now()))} ${printable(text)}\n`)
      if (detail) terminal.err(`  ${printable(detail)}\n`)
    },
    changed: () => {},
    finish: ({ plain, account, hints }) => {
      flush()
      terminal.err(`trainyard: ${plain}\n`)
      if (view.phase === 'Failed') terminal.err([...account, ...hints].map((line) => `  ${line}\n`).join(''))
    },
    leave: flush,
  }
}
