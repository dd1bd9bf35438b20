import { createInterface } from 'node:readline/promises'
import type { CommandContext } from '../context.ts'

/** True if the user agrees; where nobody can be asked, it is said how to agree in advance. */
export async function confirm({ terminal }: CommandContext, command: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    terminal.err(`trainyard: nothing was changed, because nobody can be asked here\n  go on  ${command} --yes\n`)
    return false
  }
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await ask.question('go on? [y/N] ')
  ask.close()
  return /^y(es)?$/i.test(answer.trim())
}
