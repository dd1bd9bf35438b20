// What waits says for what: after a second, and whenever that has changed since.
import type { CommandContext } from '../context.ts'

const FIRST = 1_000
const LATER = 5_000

export interface Patience {
  end(): void
}

export function tellWhatIsAwaited({ terminal, err }: CommandContext, words: () => string): Patience {
  let told = ''
  const tell = (): void => {
    const now = words()
    if (now !== told) terminal.err(`${err.paint('dim', `trainyard: ${now}`)}\n`)
    told = now
    timer = setTimeout(tell, LATER)
  }
  let timer = setTimeout(tell, FIRST)
  return { end: () => clearTimeout(timer) }
}
