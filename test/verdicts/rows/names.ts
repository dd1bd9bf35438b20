import { generic, pytorch, tensorflow, tfjob } from './bases.ts'
import { type Row, Table } from './row.ts'

const name = 'metadata.name'
const long = (length: number): string => 'a'.repeat(length)
const rows: Row[] = []

for (const base of [pytorch, tensorflow, generic, tfjob]) {
  const table = new Table(base)
  table.each(['a', 'a-b', 'job1', 'a--1'], (t, value, shown) => t.good(`name ${shown}`, { [name]: value }))
  table.each(['Job', '1job', 'a.b', 'a_b', 'a-', '$(params.n)', long(64)], (t, value, shown) =>
    t.bad(`name ${shown}`, { [name]: value }, name),
  )
  rows.push(...table.rows)
}

rows.push(
  // <job>-<5>-master-0 has 15 characters beside the job's name.
  ...new Table(pytorch)
    .good('longest name that fits', { [name]: long(48) })
    .bad('name one too long', { [name]: long(49) }, name)
    .good('longest name with two digits', { [name]: long(47), 'spec.replicaSpecs[1].replicas': 11 })
    .bad('name one too long with two digits', { [name]: long(48), 'spec.replicaSpecs[1].replicas': 11 }, name)
    .good('name beside the peers service', {
      [name]: long(51),
      'spec.replicaSpecs[0].type': 'a',
      'spec.replicaSpecs[1].type': 'b',
    })
    .bad(
      'name too long for the peers service',
      { [name]: long(52), 'spec.replicaSpecs[0].type': 'a', 'spec.replicaSpecs[1].type': 'b' },
      name,
    )
    .bad(
      'name too long for an elastic size',
      {
        [name]: long(48),
        'spec.elastic': { enable: true, minReplicas: 1, maxReplicas: 11, expectedReplicas: 2 },
        'spec.torchrunConfig': { enable: true },
      },
      name,
    )
    .good('an elastic size without torchrun does not count', {
      [name]: long(48),
      'spec.elastic': { enable: true, minReplicas: 1, maxReplicas: 11, expectedReplicas: 2 },
    }).rows,
  ...new Table(tensorflow)
    .good('longest name that fits', { [name]: long(49) })
    .bad('name one too long', { [name]: long(50) }, name).rows,
  ...new Table(generic)
    .good('longest name that fits', { [name]: long(48) })
    .bad('name one too long', { [name]: long(49) }, name)
    .bad(
      'name one too long in the other spelling',
      {
        [name]: long(49),
        'spec.replicasSpec': [{ type: 'worker', replicas: 2, template: { spec: { containers: [{ name: 'a' }] } } }],
        'spec.replicaSpecs': undefined,
      },
      name,
    ).rows,
  // <job>-worker-1 has 9 characters beside the job's name.
  ...new Table(tfjob)
    .good('longest name that fits', { [name]: long(54) })
    .bad('name one too long', { [name]: long(55) }, name).rows,
)

export const names = rows
