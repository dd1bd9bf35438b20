// What is said of a home that is stopped: that its data stays, or that it is gone.
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Bench } from './run-cli.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

test('data stays unless it is purged, and only one of the two is said', async () => {
  const bench = new Bench()
  onTestFinished(() => bench.close())
  await bench.run('up')
  const kept = await bench.run('down')
  const stays = 'Data stays in ~/home (trainyard down --purge removes it)'
  expect(kept).toEqual({ code: 0, stdout: '', stderr: `home stopped; nothing was running. ${stays}\n` })
  await bench.run('up')
  const purged = await bench.run('down', '--purge')
  expect(purged).toEqual({ code: 0, stdout: '', stderr: 'home stopped; nothing was running.\n~/home removed\n' })
  expect(existsSync(bench.env.TRAINYARD_HOME)).toBe(false)
})
