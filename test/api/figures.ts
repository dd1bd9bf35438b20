import { appendFileSync } from 'node:fs'

/** What a suite has to say in the last line of `npm run test:api`; see scripts/test-api.ts. */
export function noteFigure(text: string): void {
  const file = process.env.TRAINYARD_API_FIGURES
  if (file) appendFileSync(file, `${text}\n`)
}
