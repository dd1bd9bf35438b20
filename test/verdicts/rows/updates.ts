// What may change after creation, and everything else.
import { generic, pytorch, tensorflow, tfjob, tfjobBeta } from './bases.ts'
import { type KubeObject, type Row, Table } from './row.ts'

const rows: Row[] = []
const P = 'spec.runMode.pause'
const D = 'spec.runMode.debug'
const Q = 'spec.scheduler.t9kScheduler'
const none = {}
const pod: KubeObject = { spec: { containers: [{ name: 'tensorflow', image: 'i', args: ['a'] }] } }

for (const base of [pytorch, tensorflow, generic]) {
  const table = new Table(base)
  table.may('be labelled', none, { 'metadata.labels': { a: 'b' } })
  table.may('pause where there was no runMode', none, { [P]: { enable: true } })
  table.may('go on', { [P]: { enable: true } }, { [P]: { enable: false } })
  table.may('pause in the other spelling', { [P]: { enable: false } }, { [P]: { enabled: true } })
  table.may('forget a pause', { [P]: { enable: true } }, { 'spec.runMode': undefined })
  table.mayNot('enter debug mode', none, { [D]: { enable: true } }, D)
  table.mayNot('leave debug mode', { [D]: { enable: true } }, { [D]: { enable: false } }, D)
  table.mayNot('drop debug', { [D]: { enable: true } }, { 'spec.runMode': undefined }, D)
  table.mayNot(
    'add resumeSpecs',
    { [P]: { enable: true } },
    { [P]: { enable: true, resumeSpecs: [{ type: 'worker' }] } },
    `${P}.resumeSpecs`,
  )
  table.mayNot(
    'change resumeSpecs',
    { [P]: { resumeSpecs: [{ type: 'worker' }] } },
    { [P]: { resumeSpecs: [{ type: 'ps' }] } },
    `${P}.resumeSpecs`,
  )
  table.mayNot('drop resumeSpecs', { [P]: { resumeSpecs: [{ type: 'worker' }] } }, { [P]: {} }, `${P}.resumeSpecs`)
  table.may('change its priority', { [Q]: { queue: 'a', priority: 1 } }, { [Q]: { queue: 'a', priority: 2 } })
  table.mayNot('change its queue', { [Q]: { queue: 'a' } }, { [Q]: { queue: 'b' } }, `${Q}.queue`)
  table.mayNot('change its Queue', { [Q]: { Queue: 'a' } }, { [Q]: { Queue: 'b' } }, `${Q}.Queue`)
  table.mayNot('enter a queue', none, { [Q]: { queue: 'a' } }, `${Q}.queue`)
  table.mayNot('leave its queue', { [Q]: { queue: 'a' } }, { 'spec.scheduler': undefined }, `${Q}.queue`)
  table.mayNot(
    'change its size',
    none,
    { 'spec.replicaSpecs[0].replicas': 2 + Number(base === generic) },
    'spec.replicaSpecs',
  )
  table.mayNot(
    'change an image',
    none,
    { 'spec.replicaSpecs[0].template.spec.containers[0].image': 'j' },
    'spec.replicaSpecs',
  )
  table.mayNot(
    'change a template deep inside',
    { 'spec.replicaSpecs[0].template.spec.volumes': [{ name: 'a', emptyDir: {} }] },
    { 'spec.replicaSpecs[0].template.spec.volumes[0].emptyDir.medium': 'Memory' },
    'spec.replicaSpecs',
  )
  table.mayNot(
    'change resources',
    { 'spec.replicaSpecs[0].template.spec.containers[0].resources': { limits: { cpu: 1 } } },
    { 'spec.replicaSpecs[0].template.spec.containers[0].resources.limits.cpu': 2 },
    'spec.replicaSpecs',
  )
  table.mayNot(
    'reorder variables',
    {
      'spec.replicaSpecs[0].template.spec.containers[0].env': [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    },
    {
      'spec.replicaSpecs[0].template.spec.containers[0].env': [
        { name: 'B', value: '2' },
        { name: 'A', value: '1' },
      ],
    },
    'spec.replicaSpecs',
  )
  table.may('write a default out', none, {
    'spec.replicaSpecs[0].template.spec.initContainers': undefined,
    [Q]: undefined,
  })
  rows.push(...table.rows)
}

for (const [base, at] of [
  [pytorch, 'spec.runPolicy'],
  [tensorflow, 'spec.runPolicy'],
  [generic, 'spec'],
] as const) {
  const table = new Table(base)
  table.may('add a time to live', none, { [`${at}.ttlSecondsAfterFinished`]: 50 })
  table.may('change its clean-up', { [`${at}.cleanUpPolicy`]: 'All' }, { [`${at}.cleanUpPolicy`]: 'None' })
  table.may('write out the scope it has', none, { [`${at}.restartScope`]: 'Replica' })
  table.mayNot('change its scope', none, { [`${at}.restartScope`]: 'Job' }, `${at}.restartScope`)
  table.mayNot(
    'drop its scope',
    { [`${at}.restartScope`]: 'Job' },
    { [`${at}.restartScope`]: undefined },
    `${at}.restartScope`,
  )
  if (base !== generic) {
    table.may('change its deadline', { [`${at}.activeDeadlineSeconds`]: 5 }, { [`${at}.activeDeadlineSeconds`]: 50 })
    table.may('change its budget', { [`${at}.backoffLimit`]: 1 }, { [`${at}.backoffLimit`]: 5 })
    table.mayNot('gain a TensorBoard', none, { 'spec.tensorboardSpec': { image: 'i' } }, 'spec.tensorboardSpec')
    table.mayNot(
      'lose its TensorBoard',
      { 'spec.tensorboardSpec': { image: 'i' } },
      { 'spec.tensorboardSpec': undefined },
      'spec.tensorboardSpec',
    )
    table.mayNot(
      'change its TensorBoard',
      { 'spec.tensorboardSpec': { image: 'i' } },
      { 'spec.tensorboardSpec.image': 'j' },
      'spec.tensorboardSpec',
    )
  }
  rows.push(...table.rows)
}

const E = 'spec.elastic'
const T = 'spec.torchrunConfig'
const elastic = { enable: true, minReplicas: 2, maxReplicas: 6, expectedReplicas: 4 }

rows.push(
  ...new Table(pytorch)
    .may('scale', { [E]: elastic }, { [`${E}.expectedReplicas`]: 6 })
    .mayNot('scale beyond its maximum', { [E]: elastic }, { [`${E}.expectedReplicas`]: 7 }, `${E}.expectedReplicas`)
    .mayNot('scale below its minimum', { [E]: elastic }, { [`${E}.expectedReplicas`]: 1 }, `${E}.expectedReplicas`)
    .mayNot('change its minimum', { [E]: elastic }, { [`${E}.minReplicas`]: 1 }, `${E}.minReplicas`)
    .mayNot('change its maximum', { [E]: elastic }, { [`${E}.maxReplicas`]: 9 }, `${E}.maxReplicas`)
    .mayNot('become elastic', none, { [E]: elastic }, E)
    .mayNot('stop being elastic', { [E]: elastic }, { [E]: undefined }, E)
    .mayNot('switch elastic off', { [E]: elastic }, { [`${E}.enable`]: false }, `${E}.enable`)
    .mayNot('respell elastic', { [E]: elastic }, { [`${E}.enabled`]: true }, `${E}.enabled`)
    .mayNot('add torchrun', none, { [T]: { enable: true } }, T)
    .mayNot('change torchrun', { [T]: { enable: true } }, { [`${T}.maxRestarts`]: 2 }, T)
    .mayNot('drop torchrun', { [T]: { enable: true } }, { [T]: undefined }, T)
    .mayNot('change a type', none, { 'spec.replicaSpecs[1].type': 'node' }, 'spec.replicaSpecs').rows,
  ...new Table(generic)
    .mayNot('change success rules', none, { 'spec.successRules': [{ worker: [1] }] }, 'spec.successRules')
    .mayNot('change failure rules', none, { 'spec.failureRules': [] }, 'spec.failureRules')
    .mayNot('gain a service', none, { 'spec.service': {} }, 'spec.service')
    .mayNot('lose its service', { 'spec.service': {} }, { 'spec.service': undefined }, 'spec.service')
    .mayNot(
      'respell its replicas',
      none,
      { 'spec.replicasSpec': [{ type: 'worker', replicas: 2, template: pod }], 'spec.replicaSpecs': undefined },
      'spec.replicaSpecs',
    )
    .may(
      'change the old clean-up',
      { 'spec.runPolicy': { cleanUpPolicy: 'All' } },
      { 'spec.runPolicy': { cleanUpPolicy: 'None' } },
    ).rows,
)

const R = 'spec.tfReplicaSpecs'

for (const base of [tfjob, tfjobBeta])
  rows.push(
    ...new Table(base)
      .may('be suspended', none, { 'spec.runPolicy.suspend': true })
      .may('go on', { 'spec.runPolicy.suspend': true }, { 'spec.runPolicy.suspend': false })
      .may(
        'change its policies',
        { 'spec.backoffLimit': 1 },
        {
          'spec.backoffLimit': 2,
          'spec.cleanPodPolicy': 'All',
          'spec.activeDeadlineSeconds': 9,
          'spec.ttlSecondsAfterFinished': 1,
        },
      )
      .may('change dynamic workers', { 'spec.enableDynamicWorker': true }, { [`${R}.Worker.replicas`]: 5 })
      .mayNot('change the number of workers', none, { [`${R}.Worker.replicas`]: 5 }, R)
      .mayNot(
        'change parameter servers beside dynamic workers',
        { 'spec.enableDynamicWorker': true },
        { [`${R}.PS.replicas`]: 2 },
        R,
      )
      .mayNot('gain a type', none, { [`${R}.Chief`]: { template: pod } }, R)
      .mayNot('lose a type', none, { [`${R}.PS`]: undefined }, R)
      .mayNot('change a template', none, { [`${R}.PS.template.spec.containers[0].image`]: 'j' }, `${R}[PS].template`)
      .mayNot('change a restart policy', none, { [`${R}.PS.restartPolicy`]: 'Always' }, `${R}[PS].restartPolicy`)
      .may('write out a restart policy', none, { [`${R}.PS.restartPolicy`]: 'Never' })
      .mayNot('change its success policy', none, { 'spec.successPolicy': 'AllWorkers' }, 'spec.successPolicy')
      .mayNot('make workers dynamic', none, { 'spec.enableDynamicWorker': true }, 'spec.enableDynamicWorker')
      .mayNot('change its edition', { 'spec.edition': 'v1' }, { 'spec.edition': 'v1beta2' }, 'spec.edition')
      .mayNot(
        'change hands',
        none,
        { 'spec.runPolicy.managedBy': 'kueue.x-k8s.io/multikueue' },
        'spec.runPolicy.managedBy',
      )
      .mayNot(
        'change its scheduling',
        none,
        { 'spec.runPolicy.schedulingPolicy': { queue: 'q' } },
        'spec.runPolicy.schedulingPolicy',
      )
      .mayNot('change its scope', none, { 'spec.runPolicy.restartScope': 'Job' }, 'spec.runPolicy.restartScope').rows,
  )

export const updates = rows
