// Elastic training where nothing is played: kubelets, containers and cluster DNS, and the autoscaler of Kubernetes. Only
// the metric it looks at is made up.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { KubeClient, loadConnection } from '../../src/kube/index.ts'
import { closingLine } from '../closing-line.ts'
import { ExampleRun } from '../examples/example-run.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import { OperatorProcess } from '../operator/operator-process.ts'
import { realCluster } from '../real-cluster.ts'
import { ElasticRun, JOB, PATIENT } from './elastic-run.ts'
import { FakeMetric } from './fake-metric.ts'
import { StartGate } from './start-gate.ts'
import { adaptManifest } from './torch-on-nodes.ts'

const LONG = 1_800_000
/** To how many nodes the autoscaler goes, after its first two: CI sees it grow, everybody else all of it. */
const SIZES = process.env.CI ? [4] : [4, 1, 3]
const NAMESPACE = 'default'
const manifest = resolve(import.meta.dirname, '../../examples/torch-elastic/job.yaml')
const cluster = realCluster()

let operator: OperatorProcess
let metric: FakeMetric

beforeAll(async () => {
  const client = new KubeClient(await loadConnection({ kubeconfig: cluster.kubeconfig }))
  await installCrds(client)
  await client.close()
  const flags = ['--leader-elect=false', '--metrics-address', 'off', '--cluster-domain', 'cluster.local']
  operator = new OperatorProcess(['--kubeconfig', cluster.kubeconfig, ...flags])
  await operator.says('at work')
  metric = await FakeMetric.serve(cluster)
}, LONG)

afterAll(async () => {
  await operator.end()
  await metric.close()
}, LONG)

test('one to four nodes on a cluster, by four means', { timeout: LONG }, async () => {
  const run = new ExampleRun(JOB, 'torch', ['--kubeconfig', cluster.kubeconfig])
  const programs = process.env.TRAINYARD_TORCH!
  const dir = join(run.bench.dir, 'gate')
  const gate = new StartGate(dir, programs)
  const claim = join(run.bench.dir, 'claim')
  mkdirSync(claim)
  const around = { namespace: NAMESPACE, programs, shared: [dir], first: gate.bin, claim }
  const objects = adaptManifest(manifest, (text) => text.replace(PATIENT.from, PATIENT.to), around)
  const elastic = new ElasticRun({ run, gate, claim, kubeconfig: () => cluster.kubeconfig })
  const apply = (name: string, all: readonly object[]): Promise<string> => {
    const file = join(run.bench.dir, name)
    writeFileSync(file, all.map((each) => stringify(each)).join('---\n'))
    return elastic.kubectl(['apply', '-f', file])
  }
  const job = objects.filter((each) => (each as { kind: string }).kind === 'PyTorchTrainingJob')
  await apply('around.yaml', [...objects.filter((each) => !job.includes(each)), ...metric.objects(NAMESPACE)])
  writeFileSync(join(run.bench.dir, 'job.yaml'), stringify(job[0]))

  run.start('-f', 'job.yaml')
  await elastic.begins(2)
  await elastic.changes('trainyard scale', 4, async () => {
    expect(await run.command('scale', JOB, '4')).toContain('node-2, node-3 joined')
  })
  await elastic.changes('kubectl scale', 1, () => elastic.kubectl(['scale', 'ptj', JOB, '--replicas=1']))
  await elastic.changes('kubectl edit', 3, () => elastic.edit(1, 3))
  metric.value = 2
  await elastic.changes('HPA', 2, () => apply('autoscaler.yaml', [metric.autoscaler(NAMESPACE, JOB, 4)]))
  for (const size of SIZES) {
    await elastic.changes('HPA', size, async () => {
      metric.value = size
    })
  }
  closingLine(`elastic on 2 genuine nodes: ${await elastic.ends()}`)
})
