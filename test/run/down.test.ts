// What is said of a home that is stopped: that its data stays, or that it is gone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('what a finished job has left running is stopped with the home, not left without one', async () => {
  const bench = new Bench()
  onTestFinished(() => bench.close())
  const pidFile = join(bench.dir, 'pid')
  const replica = (type: string, script: string) => ({
    type,
    template: { spec: { containers: [{ name: 'c', image: 'i', command: ['sh', '-c', script] }] } },
  })
  const job = {
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'GenericJob',
    metadata: { name: 'over' },
    spec: {
      successRules: [{ main: [0] }],
      failureRules: [],
      replicaSpecs: [
        replica('main', `until test -s ${pidFile}; do sleep 0.1; done`),
        // Its own pid, without the two dollars that Kubernetes takes for one.
        replica('side', `cut -d ' ' -f 4 /proc/self/stat > ${pidFile}; exec sleep 600`),
      ],
    },
  }
  writeFileSync(join(bench.dir, 'job.json'), JSON.stringify(job))
  expect((await bench.run('run', '-f', join(bench.dir, 'job.json'))).code).toBe(0)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  const { code, stderr } = await bench.run('down')
  expect(stderr).toContain('home stopped; 1 pod of finished jobs was stopped.')
  expect(code).toBe(0)
  expect(existsSync(`/proc/${pid}`)).toBe(false)
})
