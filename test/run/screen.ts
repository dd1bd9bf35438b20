// A terminal that can be read: what stands on its screen after what was written to it.
import xterm from '@xterm/headless'
import { styleFor, type Terminal } from '../../src/cli/output/terminal.ts'
import { LiveDisplay } from '../../src/cli/run/live-display.ts'
import type { StagedJob } from './staged-job.ts'

export class Screen {
  readonly terminal: Terminal
  readonly display: LiveDisplay
  readonly #xterm: InstanceType<typeof xterm.Terminal>
  raw = ''

  constructor(job: StagedJob, columns: number, rows: number, env: Record<string, string> = { LANG: 'C.UTF-8' }) {
    this.#xterm = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 1000,
      convertEol: true,
      allowProposedApi: true,
    })
    const write = (text: string): void => {
      this.raw += text
      this.#xterm.write(text)
    }
    const stdin = async () => new Uint8Array()
    this.terminal = { out: write, err: write, stdin, env, columns, outIsTerminal: true, errIsTerminal: true }
    const size = () => ({ columns: this.#xterm.cols, rows: this.#xterm.rows })
    const [out, err] = (['out', 'err'] as const).map((stream) => styleFor(this.terminal, stream, 'auto'))
    this.display = new LiveDisplay(job.view, {
      terminal: this.terminal,
      out: out!,
      err: err!,
      size,
      now: () => job.now,
    })
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows)
  }

  /** Everything, scrolled away or not, without blank lines at the end. */
  async text(): Promise<string> {
    await new Promise<void>((resolve) => this.#xterm.write('', resolve))
    const buffer = this.#xterm.buffer.active
    const lines = Array.from({ length: buffer.length }, (_, i) => buffer.getLine(i)?.translateToString(true) ?? '')
    return lines.join('\n').trimEnd()
  }
}
