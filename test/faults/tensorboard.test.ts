// What keeps a TensorBoard on this machine from showing anything is told in status, event and command.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Bench } from '../run/run-cli.ts'

const LONG = 300_000
const PATIENCE = { timeout: 240_000, interval: 250 }

interface Board {
  ready: boolean
  type: string
  note: string
}

async function run(spec: string, script = 'true', claim = 'runs'): Promise<{ bench: Bench; code: number | null }> {
  const bench = new Bench()
  onTestFinished(() => bench.close())
  // No TensorBoard on it, whatever this machine has.
  bench.env.PATH = [dirname(process.execPath), '/usr/bin', '/bin'].join(':')
  const file = bench.file(
    'job.yaml',
    `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${claim}}
spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}
---
apiVersion: batch.tensorstack.dev/v1beta1
kind: PyTorchTrainingJob
metadata: {name: job}
spec:
  tensorboardSpec: ${spec}
  replicaSpecs:
    - type: master
      replicas: 1
      template:
        spec:
          containers:
            - {name: pytorch, image: i, command: [sh, -c, ${JSON.stringify(script)}], volumeMounts: [{name: runs, mountPath: /runs}]}
          volumes: [{name: runs, persistentVolumeClaim: {claimName: ${claim}}}]
`,
  )
  const { code } = await bench.run('run', '-f', file)
  return { bench, code }
}

async function isToldOf(bench: Bench, words: string): Promise<void> {
  const board = async (): Promise<Board> => {
    const { stdout } = await bench.run('get', 'job', '-o', 'json')
    return (JSON.parse(stdout) as { status: { tensorboard: Board } }).status.tensorboard
  }
  const told = { ready: false, type: 'Warning', note: expect.stringContaining(`is not ready: ${words}`) }
  await expect.poll(board, PATIENCE).toMatchObject(told)
  const { code, stderr } = await bench.run('tensorboard', 'job')
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
  const events = async () => {
    const { stdout } = await bench.run('events', 'job', '-o', 'json')
    return (JSON.parse(stdout) as { events: object[] }).events
  }
  const event = { type: 'Warning', reason: 'TensorBoardNotReady', message: expect.stringContaining(words) }
  await expect.poll(events, PATIENCE).toContainEqual(expect.objectContaining(event))
}

test('a directory that is missing, and then a program that is', { timeout: LONG }, async () => {
  const { bench, code } = await run('{trainingLogFilesets: [t9k://pvc/runs/later]}')
  expect(code).toBe(0)
  await isToldOf(bench, 'folder later of the claim runs is not there yet')
  mkdirSync(join(bench.env.TRAINYARD_HOME, 'volumes/default/runs/later'))
  await isToldOf(bench, 'no program "tensorboard" on its PATH')
})

test('a claim that is not there', { timeout: LONG }, async () => {
  const { bench } = await run('{trainingLogFilesets: [t9k://pvc/nobodys]}')
  await isToldOf(bench, 'the claim nobodys does not exist')
})

test('a Secret that is not there', { timeout: LONG }, async () => {
  const { bench } = await run('{logDir: {s3: {uri: [s3://bucket/a], secretRef: {name: keys}}}}')
  await isToldOf(bench, 'secret "keys" not found')
})
