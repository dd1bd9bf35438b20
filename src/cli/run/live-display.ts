// A terminal: lines scroll up as they come, the table stays below them and is redrawn in place.
import type { Style, Terminal } from '../output/terminal.ts'
import { printable, textWidth, wrap } from '../output/text.ts'
import type { Display } from './display.ts'
import { paintPrefix } from './prefix.ts'
import type { JobView } from './view/job-view.ts'
import { tame } from './view/last-line.ts'
import type { Notice } from './view/notices.ts'
import type { Replica } from './view/replica-view.ts'
import type { Summary } from './view/summary.ts'
import { renderJob, type Size } from './view/table.ts'

/** At most ten times a second. */
const FRAME = 100
/** … unless there is more to show than anybody wants to keep in memory. */
const MOST_WAITING = 1 << 20

export interface LiveOptions {
  terminal: Terminal
  out: Style
  err: Style
  size: () => Size
  now: () => number
}

export class LiveDisplay implements Display {
  readonly #options: LiveOptions
  readonly #view: JobView
  readonly #timer: NodeJS.Timeout
  readonly #prefixWidth: number
  /** What came since the last frame, in its order. */
  #queue: Array<{ to: 'out' | 'err'; text: string }> = []
  #waiting = 0
  #drawn: string[] = []
  #over = false

  constructor(view: JobView, options: LiveOptions) {
    this.#view = view
    this.#options = options
    this.#prefixWidth = Math.max(...view.replicas.map(({ place }) => place.key.length))
    this.#frame()
    this.#timer = setInterval(() => this.#frame(), FRAME)
  }

  line({ place }: Replica, text: string): void {
    const { out } = this.#options
    const prefix = paintPrefix(place.key.padEnd(this.#prefixWidth), place.rank, out)
    this.#queue.push({ to: 'out', text: `${prefix} | ${tame(text, out.coloured)}\n` })
    this.#waiting += text.length
  }

  /** Terminals take what they are given at once; until the next frame it waits here. */
  async ready(): Promise<void> {
    if (this.#waiting >= MOST_WAITING) this.#frame()
  }

  notice({ about, text, detail }: Notice): void {
    if (about === 'progress') return
    const { err } = this.#options
    const [first, ...rest] = wrap(printable(`trainyard: ${text}`), err.width)
    const lines = [err.paint('yellow', first!), ...rest, ...(detail ? [`  ${printable(detail)}`] : [])]
    this.#queue.push({ to: 'err', text: `${lines.join('\n')}\n` })
  }

  /** The next frame looks for itself. */
  changed(): void {}

  finish({ live, account, hints }: Summary): void {
    const { terminal, err } = this.#options
    this.leave()
    const succeeded = this.#view.phase === 'Succeeded'
    const mark = succeeded ? err.paint('green', err.utf8 ? '✓' : 'o') : err.paint('red', err.utf8 ? '✗' : 'x')
    const [first, ...rest] = wrap(printable(live), err.width - 2)
    terminal.err(`\n${mark} ${[first, ...rest].join('\n')}\n`)
    for (const line of account) terminal.err(`  ${line}\n`)
    for (const line of hints) terminal.err(`  ${err.paint('dim', line)}\n`)
  }

  leave(): void {
    if (this.#over) return
    this.#frame()
    this.#over = true
    clearInterval(this.#timer)
  }

  #frame(): void {
    const { terminal, out, size, now } = this.#options
    const { columns, rows } = size()
    const lines = ['', ...renderJob(this.#view, now(), out, { columns, rows })]
    if (this.#queue.length === 0 && lines.join('\n') === this.#drawn.join('\n')) return
    let text = this.#erase(columns)
    this.#waiting = 0
    for (const { to, text: piece } of this.#queue.splice(0)) {
      if (to === 'out') text += piece
      else {
        if (text !== '') terminal.out(text)
        text = ''
        terminal.err(piece)
      }
    }
    terminal.out(`${text}${lines.join('\n')}\n`)
    this.#drawn = lines
  }

  /** Up to where the table begins. After the window became narrower its lines may take more room than they did. */
  #erase(columns: number): string {
    if (this.#drawn.length === 0) return ''
    const height = this.#drawn.reduce((sum, line) => {
      return sum + Math.max(1, Math.ceil(textWidth(tame(line, false)) / columns))
    }, 0)
    return `\u001b[${height}A\r\u001b[J`
  }
}
