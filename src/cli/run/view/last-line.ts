// What a program writes, made fit for a terminal that somebody else is drawing on.
import { preparation, type Replica } from './replica-view.ts'

const ESCAPE = '\u001b'
/** Control sequences, operating system commands, and single escapes. */
const SEQUENCES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)?|[@-_a-z0-9])`,
  'g',
)
const COLOURING = new RegExp(`^${ESCAPE}\\[[0-9;:]*m$`)
const CONTROLS = /(?!\t)\p{Cc}/gu

/** Nothing but text and, if wanted, its colours: what moves the cursor would spoil the table. */
export function tame(line: string, coloured: boolean): string {
  // A progress bar writes over itself: what stands there last is what counts.
  const shown = line.slice(line.lastIndexOf('\r', line.length - 2) + 1)
  const sequences = [...shown.matchAll(SEQUENCES)]
  let text = ''
  let from = 0
  for (const { 0: sequence, index } of sequences) {
    text += shown.slice(from, index).replace(CONTROLS, '\ufffd')
    if (coloured && COLOURING.test(sequence)) text += sequence
    from = index + sequence.length
  }
  text += shown.slice(from).replace(CONTROLS, '\ufffd')
  return text.includes(ESCAPE) ? `${text}${ESCAPE}[0m` : text
}

/** Nobody's terminal is wider; a line may be. */
const LONGEST = 2_000

/** What stands under LAST LINE: what it waits for, how it ended, or what it wrote last. `wait`: until it is started again. */
export function lastLineOf({ state, waitsFor, end, pod, place, lines, linesOf }: Replica, wait?: string): string {
  switch (state) {
    case 'Pending':
    case 'Starting':
      return waitsFor ?? preparation(pod, place) ?? ''
    case 'Restarting':
      return waitsFor ?? [...(wait ? [`again ${wait}`] : []), ...(end ? [`was: ${end.words}`] : [])].join('; ')
    case 'Paused':
      return ''
  }
  const own = pod === undefined || linesOf === pod.metadata?.uid
  const last = own ? lines.at(-1) : undefined
  if (last !== undefined) return tame(last.slice(0, LONGEST), false).trimEnd()
  return state === 'Failed' ? (end?.cannotStart ?? end?.words ?? '') : ''
}
