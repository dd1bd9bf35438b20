// What the kinds have in common, tried on those that have it.
import { generic, pytorch, tensorflow, tfjob } from './bases.ts'
import { type KubeObject, type Row, Table } from './row.ts'

const rows: Row[] = []
const QUEUE = 'spec.scheduler.t9kScheduler'

function replicas(base: KubeObject, at: string, most: number): Row[] {
  const path = `${at}.replicas`
  return new Table(base)
    .each([1, most - 3, null], (t, value, shown) => t.good(`replicas ${shown}`, { [path]: value }))
    .each([0, -1, most + 1, 1_000_000_000, '3', 1.5, true, {}], (t, value, shown) =>
      t.bad(`replicas ${shown}`, { [path]: value }, path),
    ).rows
}

function restartPolicies(base: KubeObject, at: string): Row[] {
  return new Table(base)
    .each(['Always', 'OnFailure', 'Never', 'ExitCode'], (t, value, shown) =>
      t.good(`restartPolicy ${shown}`, { [at]: value }),
    )
    .each(['Onfailure', '', 1, { policy: 'Never' }], (t, value, shown) =>
      t.bad(`restartPolicy ${shown}`, { [at]: value }, at),
    ).rows
}

function switches(base: KubeObject, at: string, fill: Record<string, number> = {}): Row[] {
  return new Table(base)
    .good(`${at} once`, { [at]: { enable: false, ...fill } })
    .good(`${at} alike`, { [at]: { enable: true, enabled: true, ...fill } })
    .bad(`${at} in two minds`, { [at]: { enable: true, enabled: false, ...fill } }, `${at}.enabled`)
    .bad(`${at} as a text`, { [at]: { enabled: 'yes', ...fill } }, `${at}.enabled`).rows
}

for (const base of [pytorch, tensorflow, generic]) {
  rows.push(...switches(base, 'spec.runMode.debug'), ...switches(base, 'spec.runMode.pause'))
  const table = new Table(base)
  table.good('queue', { [QUEUE]: { queue: 'a' } })
  table.good('Queue', { [QUEUE]: { Queue: 'a', priority: 100 } })
  table.good('queue twice alike', { [QUEUE]: { queue: 'a', Queue: 'a', priority: 0 } })
  table.bad('two queues', { [QUEUE]: { queue: 'a', Queue: 'b' } }, `${QUEUE}.Queue`)
  table.bad('no queue', { [QUEUE]: {} }, `${QUEUE}.queue`)
  table.bad('empty queue', { [QUEUE]: { queue: '' } }, `${QUEUE}.queue`)
  table.each([-1, 101, '5'], (t, value, shown) =>
    t.bad(`priority ${shown}`, { [QUEUE]: { queue: 'a', priority: value } }, `${QUEUE}.priority`),
  )
  table.bad(
    'debug entry without a type',
    { 'spec.runMode.debug.replicaSpecs': [{}] },
    'spec.runMode.debug.replicaSpecs[0].type',
  )
  table.bad(
    'resume entry without a type',
    { 'spec.runMode.pause.resumeSpecs': [{}] },
    'spec.runMode.pause.resumeSpecs[0].type',
  )
  table.good('entries for a type the job does not have', {
    'spec.runMode': { debug: { replicaSpecs: [{ type: 'x' }] }, pause: { resumeSpecs: [{ type: 'x', args: ['a'] }] } },
  })
  table.bad('no spec', { spec: undefined }, 'spec')
  table.bad('spec a list', { spec: [] }, 'spec')
  rows.push(...table.rows)
}

for (const [base, at] of [
  [pytorch, 'spec.runPolicy'],
  [tensorflow, 'spec.runPolicy'],
  [generic, 'spec'],
] as const) {
  const table = new Table(base)
  table.each(['all', 'ALL', 'Unfinished', 'nOne'], (t, value, shown) =>
    t.good(`cleanUpPolicy ${shown}`, { [`${at}.cleanUpPolicy`]: value }),
  )
  table.each(['some', '', 'Running'], (t, value, shown) =>
    t.bad(`cleanUpPolicy ${shown}`, { [`${at}.cleanUpPolicy`]: value }, `${at}.cleanUpPolicy`),
  )
  table.each(['Replica', 'Job'], (t, value, shown) =>
    t.good(`restartScope ${shown}`, { [`${at}.restartScope`]: value }),
  )
  table.bad('restartScope in small letters', { [`${at}.restartScope`]: 'job' }, `${at}.restartScope`)
  rows.push(...table.rows)
}

for (const [base, at] of [
  [pytorch, 'spec.runPolicy'],
  [tensorflow, 'spec.runPolicy'],
  [generic, 'spec'],
  [tfjob, 'spec'],
  [tfjob, 'spec.runPolicy'],
] as const) {
  const table = new Table(base)
  table.good(`${at}.ttlSecondsAfterFinished 0`, { [`${at}.ttlSecondsAfterFinished`]: 0 })
  table.bad(
    `${at}.ttlSecondsAfterFinished -1`,
    { [`${at}.ttlSecondsAfterFinished`]: -1 },
    `${at}.ttlSecondsAfterFinished`,
  )
  if (base !== generic) {
    table.good(`${at}.activeDeadlineSeconds 1`, { [`${at}.activeDeadlineSeconds`]: 1 })
    table.each([0, -5], (t, value, shown) =>
      t.bad(
        `${at}.activeDeadlineSeconds ${shown}`,
        { [`${at}.activeDeadlineSeconds`]: value },
        `${at}.activeDeadlineSeconds`,
      ),
    )
    table.good(`${at}.backoffLimit 0`, { [`${at}.backoffLimit`]: 0 })
    table.bad(`${at}.backoffLimit -1`, { [`${at}.backoffLimit`]: -1 }, `${at}.backoffLimit`)
  }
  rows.push(...table.rows)
}

rows.push(
  ...replicas(pytorch, 'spec.replicaSpecs[0]', 4096),
  ...replicas(tensorflow, 'spec.replicaSpecs[1]', 1000),
  ...replicas(generic, 'spec.replicaSpecs[0]', 4096).filter((row) => row.refused !== undefined),
  ...replicas(tfjob, 'spec.tfReplicaSpecs.Worker', 1000),
  ...restartPolicies(pytorch, 'spec.replicaSpecs[0].restartPolicy'),
  ...restartPolicies(tensorflow, 'spec.replicaSpecs[0].restartPolicy'),
  ...restartPolicies(tfjob, 'spec.tfReplicaSpecs.Worker.restartPolicy'),
)

export const shared = rows
