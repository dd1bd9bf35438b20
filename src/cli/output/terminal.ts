// What a command writes to, and how it may write there: colours, marks and width follow from the terminal.

export interface Terminal {
  out: (text: string) => void
  err: (text: string) => void
  /** To standard output as they are; resolves when more may come. Absent: as text. */
  bytes?: (bytes: Uint8Array) => Promise<void>
  /** Resolves when standard output takes more; whoever has much to write waits for it now and then. */
  drained?: () => Promise<void>
  stdin: () => Promise<Uint8Array>
  env: Readonly<Record<string, string | undefined>>
  /** Of standard output, where it is a terminal. */
  columns?: number
  outIsTerminal: boolean
  errIsTerminal: boolean
}

export type Colour = 'cyan' | 'green' | 'red' | 'yellow' | 'dim' | 'bold'
export type ColourChoice = 'auto' | 'always' | 'never'

export interface Style {
  /** Never more than 100: what is wider than the page is cut, not spread. */
  width: number
  /** The locale is UTF-8; otherwise marks and dots are ASCII. */
  utf8: boolean
  coloured: boolean
  paint: (colour: Colour, text: string) => string
  ellipsis: string
}

const PAGE = 100
const CODES: Record<Colour, [number, number]> = {
  cyan: [36, 39],
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
  dim: [2, 22],
  bold: [1, 22],
}

export function styleFor(terminal: Terminal, stream: 'out' | 'err', choice: ColourChoice): Style {
  const isTerminal = stream === 'out' ? terminal.outIsTerminal : terminal.errIsTerminal
  const coloured =
    choice === 'always' || (choice === 'auto' && isTerminal && !terminal.env.NO_COLOR && terminal.env.TERM !== 'dumb')
  const utf8 = isUtf8(terminal.env)
  return {
    width: Math.min(PAGE, terminal.columns ?? PAGE),
    utf8,
    coloured,
    paint: coloured ? paint : (_, text) => text,
    ellipsis: utf8 ? '…' : '...',
  }
}

function paint(colour: Colour, text: string): string {
  const [on, off] = CODES[colour]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** The first of the three that is set decides, as in POSIX; Windows and macOS terminals are UTF-8 without saying so. */
function isUtf8(env: Terminal['env']): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  if (!locale) return process.platform !== 'linux'
  return /utf-?8/i.test(locale)
}
