import { readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { closingLine } from '../closing-line.ts'
import { ExampleRun } from '../examples/example-run.ts'
import { ElasticRun, JOB, PATIENT } from './elastic-run.ts'
import { StartGate } from './start-gate.ts'

const LONG = 1_200_000
const manifest = resolve(import.meta.dirname, '../../examples/torch-elastic/job.yaml')

test('two, four, one and three nodes while it trains: by scale, by kubectl scale, by kubectl edit', {
  timeout: LONG,
}, async () => {
  const run = new ExampleRun(JOB, 'torch')
  const gate = new StartGate(join(run.bench.dir, 'gate'), process.env.TRAINYARD_TORCH!)
  run.bench.env.PATH = [gate.bin, run.bench.env.PATH].join(delimiter)
  const file = join(
    run.bench.dir,
    run.bench.file('job.yaml', readFileSync(manifest, 'utf8').replace(PATIENT.from, PATIENT.to)),
  )
  const home = run.bench.env.TRAINYARD_HOME
  const elastic = new ElasticRun({
    run,
    gate,
    claim: run.claim('torch-elastic-checkpoints'),
    kubeconfig: () => (JSON.parse(readFileSync(join(home, 'home.json'), 'utf8')) as { kubeconfig: string }).kubeconfig,
  })
  run.start('-f', file)
  await elastic.begins(2)
  await elastic.changes('trainyard scale', 4, async () => {
    expect(await run.command('scale', JOB, '4')).toContain('node-2, node-3 joined')
  })
  await elastic.changes('kubectl scale', 1, () => elastic.kubectl(['scale', 'pytorchtrainingjob', JOB, '--replicas=1']))
  await elastic.changes('kubectl edit', 3, () => elastic.edit(1, 3))
  closingLine(`elastic on this machine: ${await elastic.ends()}`)
  await run.emptied()
})
