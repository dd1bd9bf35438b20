// What only one kind has.
import { generic, podgroup, pytorch, queue, tensorboard, tensorflow, tfjob, tfjobBeta } from './bases.ts'
import { type Json, type KubeObject, Table } from './row.ts'

const pod = (name: string): KubeObject => ({ spec: { containers: [{ name, image: 'i', args: ['a'] }] } })
const roles = (count: number, replicas = 1): Json =>
  Array.from({ length: count }, (_, i) => ({ type: `t${i}`, replicas, template: pod('main') }))
const noArgs = 'spec.replicaSpecs[0].template.spec.containers[0].args'
const torchrun = { enable: true }
const elastic = { enable: true, minReplicas: 2, maxReplicas: 6, expectedReplicas: 4 }
const E = 'spec.elastic'

export const pytorchRows = new Table(pytorch)
  .each(['node', 'ps', '0', 'a-b', 'a'.repeat(40)], (t, value, shown) =>
    t.good(`type ${shown}`, { 'spec.replicaSpecs[1].type': value }),
  )
  .each(['Worker', 'a.b', '', '-a', 'a'.repeat(64), 1], (t, value, shown) =>
    t.bad(`type ${shown}`, { 'spec.replicaSpecs[1].type': value }, 'spec.replicaSpecs[1].type'),
  )
  .bad('no type', { 'spec.replicaSpecs[1].type': undefined }, 'spec.replicaSpecs[1].type')
  .bad('a type twice', { 'spec.replicaSpecs[1].type': 'master' }, 'spec.replicaSpecs')
  .bad('no replicaSpecs', { 'spec.replicaSpecs': undefined }, 'spec.replicaSpecs')
  .bad('empty replicaSpecs', { 'spec.replicaSpecs': [] }, 'spec.replicaSpecs')
  .good('16 types', { 'spec.replicaSpecs': roles(16) })
  .bad('17 types', { 'spec.replicaSpecs': roles(17) }, 'spec.replicaSpecs')
  .good('4096 replicas in two types', { 'spec.replicaSpecs': roles(2, 2048) })
  .bad('4098 replicas in two types', { 'spec.replicaSpecs': roles(2, 2049) }, 'spec.replicaSpecs')
  .bad('a negative weight', { 'spec.replicaSpecs[0].scalingWeight': -1 }, 'spec.replicaSpecs[0].scalingWeight')
  .good('torchrun', {
    'spec.torchrunConfig': {
      ...torchrun,
      maxRestarts: 3,
      procPerNode: 'gpu',
      rdzvBackend: 'c10d',
      extraOptions: ['-x'],
    },
  })
  .good('torchrun off, no args', { 'spec.torchrunConfig': { enable: false }, [noArgs]: undefined })
  .bad('torchrun without args', { 'spec.torchrunConfig': torchrun, [noArgs]: undefined }, 'spec.replicaSpecs')
  .bad('torchrun with empty args', { 'spec.torchrunConfig': { enabled: true }, [noArgs]: [] }, 'spec.replicaSpecs')
  .good('torchrun without args in debug mode', {
    'spec.torchrunConfig': torchrun,
    [noArgs]: undefined,
    'spec.runMode.debug.enabled': true,
  })
  .bad(
    'torchrun without args, debug mode off',
    { 'spec.torchrunConfig': torchrun, [noArgs]: undefined, 'spec.runMode.debug.enabled': false },
    'spec.replicaSpecs',
  )
  .good('torchrun, args in the container called python', {
    'spec.torchrunConfig': torchrun,
    'spec.replicaSpecs[0].template.spec.containers': [{ name: 'side' }, { name: 'python', args: ['a'] }],
  })
  .bad(
    'torchrun, args not in the container called python',
    {
      'spec.torchrunConfig': torchrun,
      'spec.replicaSpecs[0].template.spec.containers': [{ name: 'side', args: ['a'] }, { name: 'python' }],
    },
    'spec.replicaSpecs',
  )
  .each([4, '4', 'gpu', 'auto', 'cpu'], (t, value, shown) =>
    t.good(`procPerNode ${shown}`, { 'spec.torchrunConfig.procPerNode': value }),
  )
  .each([0, '0', 'many', 1.5, '', '-1'], (t, value, shown) =>
    t.bad(`procPerNode ${shown}`, { 'spec.torchrunConfig.procPerNode': value }, 'spec.torchrunConfig.procPerNode'),
  )
  .bad('negative maxRestarts', { 'spec.torchrunConfig.maxRestarts': -1 }, 'spec.torchrunConfig.maxRestarts')
  .good('the old minNodes', { 'spec.torchrunConfig.minNodes': 1 })
  .bad(
    'torchrun in two minds',
    { 'spec.torchrunConfig': { enable: true, enabled: false } },
    'spec.torchrunConfig.enabled',
  )
  .good('elastic', { [E]: elastic })
  .good('elastic at its bounds', { [E]: { ...elastic, minReplicas: 4, maxReplicas: 4 } })
  .good('elastic off, no sizes', { [E]: { enabled: false } })
  .bad('elastic in two minds', { [E]: { ...elastic, enabled: false } }, `${E}.enabled`)
  .bad(
    'elastic without minReplicas',
    { [E]: { enable: true, maxReplicas: 6, expectedReplicas: 4 } },
    `${E}.minReplicas`,
  )
  .bad(
    'elastic without maxReplicas',
    { [E]: { enable: true, minReplicas: 2, expectedReplicas: 4 } },
    `${E}.maxReplicas`,
  )
  .bad(
    'elastic without expectedReplicas',
    { [E]: { enabled: true, minReplicas: 2, maxReplicas: 6 } },
    `${E}.expectedReplicas`,
  )
  .bad('more expected than the maximum', { [E]: { ...elastic, expectedReplicas: 7 } }, `${E}.expectedReplicas`)
  .bad('less expected than the minimum', { [E]: { ...elastic, expectedReplicas: 1 } }, `${E}.expectedReplicas`)
  .bad('bounds the wrong way round', { [E]: { ...elastic, minReplicas: 8 } }, `${E}.minReplicas`)
  .bad('bounds out of order while off', { [E]: { enable: false, minReplicas: 2, maxReplicas: 1 } }, `${E}.minReplicas`)
  .each([0, -1, 4097, '4'], (t, value, shown) =>
    t.bad(`expectedReplicas ${shown}`, { [E]: { ...elastic, expectedReplicas: value } }, `${E}.expectedReplicas`),
  )
  .good('a TensorBoard', {
    'spec.tensorboardSpec': { trainingLogFilesets: ['t9k://pvc/a/b'], image: 'i', resources: { limits: { cpu: 1 } } },
  }).rows

export const tensorflowRows = new Table(tensorflow)
  .each(['worker', 'ps', 'evaluator'], (t, value, shown) =>
    t.good(`type ${shown}`, { 'spec.replicaSpecs[1].type': value }),
  )
  .each(['master', 'Worker', ''], (t, value, shown) =>
    t.bad(`type ${shown}`, { 'spec.replicaSpecs[1].type': value }, 'spec.replicaSpecs[1].type'),
  )
  .bad('a type twice', { 'spec.replicaSpecs[1].type': 'chief' }, 'spec.replicaSpecs')
  .bad('nobody to decide', { 'spec.replicaSpecs[0].type': 'evaluator' }, 'spec.replicaSpecs')
  .good('a worker decides', { 'spec.replicaSpecs[0].type': 'worker' })
  .good('1000 replicas together', { 'spec.replicaSpecs[0].type': 'worker', 'spec.replicaSpecs[0].replicas': 998 })
  .bad(
    '1001 replicas together',
    { 'spec.replicaSpecs[0].type': 'worker', 'spec.replicaSpecs[0].replicas': 999 },
    'spec.replicaSpecs',
  ).rows

const other = {
  'spec.replicasSpec': roles(1, 2),
  'spec.replicaSpecs': undefined,
  'spec.successRules': [{ t0: [0] }],
  'spec.failureRules': [],
}
const S = 'spec.successRules'
const F = 'spec.failureRules'

export const genericRows = new Table(generic)
  .each([0, '0', 1, '1', '0-1', '*'], (t, value, shown) => t.good(`rank ${shown}`, { [S]: [{ worker: [value] }] }))
  .bad('a range the wrong way round', { [S]: [{ worker: ['1-0'] }] }, `${S}[0][worker][0]`)
  .each([-1, 'x', '-1', '', '1-', 1.5, true], (t, value, shown) =>
    t.bad(`rank ${shown}`, { [S]: [{ worker: [value] }] }, `${S}[0].worker[0]`),
  )
  .each([2, '2', 99], (t, value, shown) => t.bad(`rank out of range ${shown}`, { [S]: [{ worker: [value] }] }, S))
  .bad('rank of a failure rule out of range', { [F]: [{ worker: [0] }, { worker: [0, 2] }] }, F)
  .bad('a role the job does not have', { [S]: [{ wroker: [0] }] }, S)
  .bad('a role the job does not have, in a failure rule', { [F]: [{ ps: [0] }] }, F)
  .bad('no success rules', { [S]: undefined }, S)
  .bad('empty success rules', { [S]: [] }, S)
  .bad('no failure rules', { [F]: undefined }, F)
  .good('empty failure rules', { [F]: [] })
  .bad('a rule without roles', { [S]: [{}] }, `${S}[0]`)
  .bad('a role without ranks', { [S]: [{ worker: [] }] }, `${S}[0].worker`)
  .bad('a rule that is a list', { [S]: [[0]] }, `${S}[0]`)
  .good('16 rules', { [S]: Array.from({ length: 16 }, () => ({ worker: [0] })) })
  .bad('17 rules', { [S]: Array.from({ length: 17 }, () => ({ worker: [0] })) }, S)
  .good('64 ranks', { 'spec.replicaSpecs[0].replicas': 64, [S]: [{ worker: Array.from({ length: 64 }, (_, i) => i) }] })
  .bad(
    '65 ranks',
    { 'spec.replicaSpecs[0].replicas': 65, [S]: [{ worker: Array.from({ length: 65 }, (_, i) => i) }] },
    `${S}[0].worker`,
  )
  .bad(
    '17 roles in a rule',
    { [S]: [Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`t${i}`, [0]]))] },
    `${S}[0]`,
  )
  .good('the other spelling', other)
  .bad('the other spelling, a role it does not have', { ...other, [S]: [{ worker: [0] }] }, S)
  .bad('the other spelling, a rank out of range', { ...other, [F]: [{ t0: [2] }] }, F)
  .bad('both spellings', { 'spec.replicasSpec': roles(1) }, 'spec.replicasSpec')
  .bad('neither spelling', { 'spec.replicaSpecs': undefined }, 'spec.replicaSpecs')
  .bad(
    'the other spelling, a type twice',
    { ...other, 'spec.replicasSpec': [...(roles(1) as Json[]), ...(roles(1) as Json[])] },
    'spec.replicasSpec',
  )
  .good('restart policy', { 'spec.replicaSpecs[0].restartPolicy': { policy: 'Always', limit: 32767 } })
  .good('an empty restart policy', { 'spec.replicaSpecs[0].restartPolicy': {} })
  .bad(
    'restart policy a text',
    { 'spec.replicaSpecs[0].restartPolicy': 'OnFailure' },
    'spec.replicaSpecs[0].restartPolicy',
  )
  .bad(
    'restart policy ExitCode',
    { 'spec.replicaSpecs[0].restartPolicy': { policy: 'ExitCode' } },
    'spec.replicaSpecs[0].restartPolicy.policy',
  )
  .each([-1, 32768, '1'], (t, value, shown) =>
    t.bad(
      `restart limit ${shown}`,
      { 'spec.replicaSpecs[0].restartPolicy': { limit: value } },
      'spec.replicaSpecs[0].restartPolicy.limit',
    ),
  )
  .good('a service without ports', { 'spec.service': {} })
  .good('a service', { 'spec.service': { ports: [{ name: 'a', port: 80, targetPort: 'http' }] } })
  .good('the highest port', { 'spec.service': { ports: [{ name: 'a', port: 65535 }] } })
  .each([0, 65536, -1], (t, port, shown) =>
    t.bad(`port ${shown}`, { 'spec.service': { ports: [{ name: 'a', port }] } }, 'spec.service.ports[0].port'),
  )
  .bad('a port without a number', { 'spec.service': { ports: [{ name: 'a' }] } }, 'spec.service.ports[0].port')
  .bad(
    '65 ports',
    { 'spec.service': { ports: Array.from({ length: 65 }, (_, i) => ({ name: `p${i}`, port: i + 1 })) } },
    'spec.service.ports',
  )
  .good('the old place of cleanUpPolicy', { 'spec.runPolicy': { cleanUpPolicy: 'All' } })
  .good('both places alike', { 'spec.runPolicy': { cleanUpPolicy: 'All' }, 'spec.cleanUpPolicy': 'All' })
  .good('both places in other casing', { 'spec.runPolicy': { cleanUpPolicy: 'all' }, 'spec.cleanUpPolicy': 'All' })
  .bad(
    'both places, different',
    { 'spec.runPolicy': { cleanUpPolicy: 'All' }, 'spec.cleanUpPolicy': 'None' },
    'spec.runPolicy.cleanUpPolicy',
  ).rows

const tf = (replicas = 1): KubeObject => ({ replicas, template: pod('tensorflow') })
const R = 'spec.tfReplicaSpecs'

export const tfjobRows = new Table(tfjob)
  .good('types in any casing', { [R]: { worker: tf(), pS: tf(), CHIEF: tf(), evaluator: tf() } })
  .bad('an unknown type', { [`${R}.Foo`]: tf() }, R)
  .bad('a type in two casings', { [`${R}.worker`]: tf() }, R)
  .bad('chief and master', { [`${R}.Chief`]: tf(), [`${R}.Master`]: tf() }, R)
  .bad('two chiefs', { [`${R}.Chief`]: tf(2) }, R)
  .bad('two masters', { [`${R}.master`]: tf(2) }, R)
  .bad('nobody to decide', { [R]: { PS: tf(), Evaluator: tf() } }, R)
  .bad('no replicas', { [R]: {} }, R)
  .bad('no tfReplicaSpecs', { [R]: undefined }, R)
  .bad('six types', { [R]: { worker: tf(), PS: tf(), ps: tf(), chief: tf(), evaluator: tf(), Worker: tf() } }, R)
  .good('two evaluators in edition v1', { [`${R}.Evaluator`]: tf(2) })
  .bad('two evaluators in edition v1beta2', { [`${R}.Evaluator`]: tf(2), 'spec.edition': 'v1beta2' }, R)
  .bad('1001 replicas together', { [`${R}.Worker.replicas`]: 1000 }, R)
  .each(['', 'All', 'Running', 'None'], (t, value, shown) =>
    t.good(`cleanPodPolicy ${shown}`, { 'spec.cleanPodPolicy': value }),
  )
  .bad('cleanPodPolicy Unfinished', { 'spec.runPolicy.cleanPodPolicy': 'Unfinished' }, 'spec.runPolicy.cleanPodPolicy')
  .each(['activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'], (t, field) => {
    t.good(`${field} in both places alike`, { [`spec.${field}`]: 5, [`spec.runPolicy.${field}`]: 5 })
    t.bad(
      `${field} in both places, different`,
      { [`spec.${field}`]: 5, [`spec.runPolicy.${field}`]: 6 },
      `spec.runPolicy.${field}`,
    )
  })
  .bad(
    'cleanPodPolicy in both places, different',
    { 'spec.cleanPodPolicy': 'All', 'spec.runPolicy.cleanPodPolicy': 'None' },
    'spec.runPolicy.cleanPodPolicy',
  )
  .each(['kubeflow.org/training-operator', 'kueue.x-k8s.io/multikueue'], (t, value, shown) =>
    t.good(`managedBy ${shown}`, { 'spec.runPolicy.managedBy': value }),
  )
  .bad('managedBy someone else', { 'spec.runPolicy.managedBy': 'me' }, 'spec.runPolicy.managedBy')
  .each(['', 'AllWorkers'], (t, value, shown) => t.good(`successPolicy ${shown}`, { 'spec.successPolicy': value }))
  .bad('successPolicy ChiefOnly', { 'spec.successPolicy': 'ChiefOnly' }, 'spec.successPolicy')
  .good('edition v1beta2 under v1', { 'spec.edition': 'v1beta2' })
  .bad('edition v2', { 'spec.edition': 'v2' }, 'spec.edition')
  .bad(
    'minAvailable 0',
    { 'spec.runPolicy.schedulingPolicy.minAvailable': 0 },
    'spec.runPolicy.schedulingPolicy.minAvailable',
  )
  .good('scheduling policy', {
    'spec.runPolicy.schedulingPolicy': { minAvailable: 2, queue: 'q', minResources: { cpu: 1 }, priorityClass: 'p' },
  })
  .good('dynamic workers', { 'spec.enableDynamicWorker': true }).rows

export const tfjobBetaRows = new Table(tfjobBeta)
  .good('under v1beta2', { 'spec.cleanPodPolicy': 'All' })
  .bad('two evaluators under v1beta2', { [`${R}.evaluator`]: tf(2) }, R)
  .good('two evaluators under v1beta2 in edition v1', { [`${R}.evaluator`]: tf(2), 'spec.edition': 'v1' }).rows

export const otherRows = [
  ...new Table(podgroup)
    .good('everything', {
      spec: { minMember: 2, queue: 'q', priority: 50, roles: [{ name: 'a', minMember: 1 }], topologyPolicy: { a: 1 } },
    })
    .bad('a negative minimum', { 'spec.minMember': -1 }, 'spec.minMember')
    .bad('priority 101', { 'spec.priority': 101 }, 'spec.priority')
    .bad('an empty queue', { 'spec.queue': '' }, 'spec.queue')
    .bad('a role without a name', { 'spec.roles': [{ minMember: 1 }] }, 'spec.roles[0].name').rows,
  ...new Table(queue)
    .good('the older place of the quota', { 'spec.quota': undefined, 'spec.requests': { cpu: 4 } })
    .good('both places alike', { 'spec.requests': { cpu: 4, memory: '200Gi' } })
    .bad('both places, different', { 'spec.requests': { cpu: 5 } }, 'spec.requests')
    .each(['1d12h', '0', '90m', '1y2w3d4h5m6s7ms'], (t, value, shown) =>
      t.good(`maxDuration ${shown}`, { 'spec.maxDuration': value }),
    )
    .each(['a day', '1.5h', '-1h'], (t, value, shown) =>
      t.bad(`maxDuration ${shown}`, { 'spec.maxDuration': value }, 'spec.maxDuration'),
    )
    .bad('priority -1', { 'spec.priority': -1 }, 'spec.priority')
    .good('selectors', {
      'spec.nodeSelector': { matchLabels: { a: 'b' } },
      'spec.namespaceSelector': { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
    }).rows,
  ...new Table(tensorboard)
    .each(['a', ['a', 'b']], (t, value, shown) =>
      t.good(`subPath ${shown}`, { 'spec.logDir.pvc': [{ name: 'x', subPath: value }] }),
    )
    .good('subpath', { 'spec.logDir.pvc': [{ name: 'x', subpath: 'a' }] })
    .bad('a claim without a name', { 'spec.logDir.pvc': [{ subPath: 'a' }] }, 'spec.logDir.pvc[0].name')
    .each(['paused', 'running'], (t, value, shown) => t.good(`runMode ${shown}`, { 'spec.runMode': value }))
    .bad('runMode asleep', { 'spec.runMode': 'asleep' }, 'spec.runMode')
    .good('suspend', { 'spec.suspend': true })
    .good('s3 and http', {
      'spec.logDir': { s3: { secretRef: { name: 's' }, uri: ['s3://a'] }, http: { url: ['http://a'] } },
    }).rows,
]
