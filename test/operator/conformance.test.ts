// Job behaviour on the embedded API: the same operator, the kubelet played by a driver.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { conformance } from '../conformance/conformance.ts'
import { type OperatorAtWork, putOperatorToWork } from './operator-at-work.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-conformance-'))
let server: RunningServer | undefined
let home: OperatorAtWork | undefined
afterAll(async () => {
  await home?.stop()
  await server?.stop()
  rmSync(dir, { recursive: true, force: true })
})

conformance(async () => {
  server = await startServer({ dir, log: () => {} })
  home = await putOperatorToWork(server.kubeconfigPath)
  return home
})
