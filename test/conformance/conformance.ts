// The suite's door. It is given a kubeconfig and a pod driver, and knows nothing else of where it is.
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Home } from './home.ts'
import { rows } from './rows.ts'
import { Stage } from './stage.ts'

export function conformance(open: () => Promise<Home>): void {
  let stage: Stage
  beforeAll(async () => {
    stage = await Stage.open(await open())
  })
  afterAll(async () => {
    await stage?.close()
  })
  // Side by side: most of a row's time is spent waiting.
  describe.concurrent('conformance', () => {
    for (const row of rows) test(`${row.kind} ${row.field}: ${row.what}`, () => row.play(stage))
  })
}
