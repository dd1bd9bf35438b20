import type { Colour, Style } from '../output/terminal.ts'
import { printable, wrap } from '../output/text.ts'

export interface Check {
  name: string
  status: 'fine' | 'remark' | 'problem'
  message: string
  /** What to do about it. */
  fix?: string
}

const INDENT = ' '.repeat(15)
const MARKS: Record<Check['status'], { utf8: string; ascii: string; colour: Colour }> = {
  fine: { utf8: '✓', ascii: 'o', colour: 'green' },
  remark: { utf8: '!', ascii: '!', colour: 'yellow' },
  problem: { utf8: '✗', ascii: 'x', colour: 'red' },
}

export function renderChecks(checks: readonly Check[], style: Style): string[] {
  return [...checks.flatMap((check) => renderCheck(check, style)), sumUp(checks)]
}

export function renderCheck({ name, status, message, fix }: Check, style: Style): string[] {
  const { utf8, ascii, colour } = MARKS[status]
  const mark = style.paint(colour, style.utf8 ? utf8 : ascii)
  const body = (text: string): string[] => wrap(printable(text), style.width - INDENT.length, '')
  const [first, ...rest] = [...body(message), ...(fix ? body(`fix: ${fix}`) : [])]
  return [`${mark} ${name.padEnd(13)}${first}`, ...rest.map((line) => INDENT + line)]
}

/** `1 problem, 2 remarks`. */
function sumUp(checks: readonly Check[]): string {
  const count = (status: Check['status'], word: string): string[] => {
    const n = checks.filter((check) => check.status === status).length
    return n === 0 ? [] : [`${n} ${word}${n === 1 ? '' : 's'}`]
  }
  return [...count('problem', 'problem'), ...count('remark', 'remark')].join(', ') || 'no problems'
}
