import { appendFileSync } from 'node:fs'

/** A suite's own summary. `npm test -- NAME` prints it as its very last line; see scripts/test.ts. */
export function closingLine(line: string): void {
  const file = process.env.TRAINYARD_CLOSING_LINES
  if (file) appendFileSync(file, `${line}\n`)
  else console.log(line)
}
