// The suite's door. It is given a kubeconfig and a pod driver, and knows nothing else of where it is.
import { afterAll, beforeAll, describe, test } from 'vitest'
import { closingLine } from '../closing-line.ts'
import type { Home } from './home.ts'
import { rows } from './rows.ts'
import { Stage } from './stage.ts'

/** `where` is only said, at the end, with the number of rows that hold there. */
export function conformance(where: string, open: () => Promise<Home>): void {
  let stage: Stage
  let held = 0
  beforeAll(async () => {
    stage = await Stage.open(await open())
  })
  afterAll(async () => {
    await stage?.close()
    closingLine(`conformance: ${held} of ${rows.length} rows hold on ${where}`)
  })
  // Side by side: most of a row's time is spent waiting.
  describe.concurrent('conformance', () => {
    for (const row of rows)
      test(`${row.kind} ${row.field}: ${row.what}`, async () => {
        await row.play(stage)
        held++
      })
  })
}
