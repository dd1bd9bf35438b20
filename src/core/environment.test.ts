import { describe, expect, test } from 'vitest'
import type { Pod, Service } from '../../gen/kubernetes-types.ts'
import { PEERS_ANNOTATION, type PeerMarks } from '../api/peers.ts'
import type { TrainingJob } from '../api/types.ts'
import { buildPlan, FULL_CLUSTER, PLACEHOLDER_UID } from './plan.ts'
import { read } from './read.ts'

const uid = PLACEHOLDER_UID

function podsOf(
  kind: string,
  spec: object,
  apiVersion = 'batch.tensorstack.dev/v1beta1',
  facts = {},
): Map<string, Pod> {
  const job = { apiVersion, kind, metadata: { name: 'job', namespace: 'ns', uid }, spec } as unknown as TrainingJob
  const objects = buildPlan(read(job), { ...FULL_CLUSTER, ...facts })
  return new Map(
    objects
      .filter((o) => o.kind === 'Pod')
      .map((o) => [o.metadata.name!.replace(/^job-([0-9a-f]{5}-)?/, ''), o as Pod]),
  )
}

const container = (extra: object = {}, name = 'tensorflow') => ({
  spec: { containers: [{ name, image: 'i', ...extra }] },
})
const variableOf = (pod: Pod | undefined, name: string, at = 0) =>
  pod?.spec?.containers[at]?.env?.findLast((v) => v.name === name)?.value
const marksOf = (pod: Pod | undefined): PeerMarks =>
  JSON.parse(pod?.metadata?.annotations?.[PEERS_ANNOTATION] ?? 'null')

/** What the process runtime would rewrite, as text. */
function markedTexts(pod: Pod | undefined): string[] {
  return marksOf(pod).places.flatMap((place) => {
    const found = pod?.spec?.containers.find((c) => c.name === place.container)
    const text =
      place.env !== undefined
        ? found?.env?.findLast((v) => v.name === place.env)?.value
        : place.command !== undefined
          ? found?.command?.[place.command]
          : found?.args?.[place.args!]
    return (place.spans ?? []).map(({ from, to, peer, part }) => `${part} of ${peer}: ${text?.slice(from, to)}`)
  })
}

describe('TensorFlowTrainingJob', () => {
  const pods = podsOf('TensorFlowTrainingJob', {
    replicaSpecs: [
      { type: 'worker', replicas: 2, template: container() },
      { type: 'evaluator', template: container() },
      { type: 'chief', template: container() },
    ],
  })

  test('TF_CONFIG: cluster without the evaluator, task, no environment', () => {
    const config = JSON.parse(variableOf(pods.get('worker-1'), 'TF_CONFIG')!)
    expect(Object.keys(config)).toEqual(['cluster', 'task'])
    expect(config.task).toEqual({ type: 'worker', index: 1 })
    expect(Object.keys(config.cluster)).toEqual(['chief', 'worker'])
    expect(config.cluster.worker[1]).toMatch(/^job-worker-1\.job-[0-9a-f]{5}-peers:2222$/)
    expect(JSON.parse(variableOf(pods.get('evaluator-0'), 'TF_CONFIG')!).task.type).toBe('evaluator')
  })

  test('its addresses are marked', () => {
    expect(marksOf(pods.get('chief-0')).places).toEqual([
      { container: 'tensorflow', env: 'TF_CONFIG', addresses: 'all' },
    ])
    expect(marksOf(pods.get('chief-0')).peers.worker).toMatchObject({
      replicas: 2,
      ports: [2222],
      host: expect.stringContaining('job-worker-{i}.'),
    })
  })

  test('pods have names under the peers Service, and a search domain where the domain is known', () => {
    const spec = { replicaSpecs: [{ type: 'worker', template: container() }] }
    const pod = podsOf('TensorFlowTrainingJob', spec, undefined, { domain: 'cluster.local' }).get('worker-0')
    expect(pod?.spec).toMatchObject({
      hostname: 'job-worker-0',
      subdomain: expect.stringMatching(/^job-[0-9a-f]{5}-peers$/),
    })
    expect(pod?.spec?.dnsConfig?.searches).toEqual([`${pod?.spec?.subdomain}.ns.svc.cluster.local`])
  })

  test('a TF_CONFIG of the user’s is left alone and not marked', () => {
    const template = container({ env: [{ name: 'TF_CONFIG', value: 'mine' }] })
    const pod = podsOf('TensorFlowTrainingJob', { replicaSpecs: [{ type: 'worker', template }] }).get('worker-0')
    expect(pod?.spec?.containers[0]?.env).toEqual([{ name: 'TF_CONFIG', value: 'mine' }])
    expect(marksOf(pod).places).toEqual([])
  })
})

describe('PyTorchTrainingJob', () => {
  const replicaSpecs = [
    {
      type: 'ps',
      template: container(
        {
          args: ['train.py'],
          env: [
            { name: 'MASTER_PORT', value: '1' },
            { name: 'X', value: '$(MASTER_ADDR)' },
          ],
        },
        'main',
      ),
    },
    { type: 'worker', replicas: 2, template: container({ args: ['train.py'] }, 'main') },
  ]

  test('ranks are global; ours come first, what the user sets stands alone', () => {
    const pods = podsOf('PyTorchTrainingJob', { replicaSpecs })
    expect(pods.get('ps-0')?.spec?.containers[0]?.env?.map((v) => v.name)).toEqual([
      'MASTER_ADDR',
      'RANK',
      'WORLD_SIZE',
      'MASTER_PORT',
      'X',
    ])
    expect(variableOf(pods.get('worker-1'), 'RANK')).toBe('2')
    expect(variableOf(pods.get('worker-1'), 'WORLD_SIZE')).toBe('3')
    expect(variableOf(pods.get('worker-1'), 'MASTER_PORT')).toBe('23456')
    expect(markedTexts(pods.get('worker-1'))).toEqual([
      expect.stringMatching(/^host of ps-0: job-ps-0\.job-[0-9a-f]{5}-peers$/),
      'port of ps-0: 23456',
    ])
    expect(markedTexts(pods.get('ps-0'))).toHaveLength(1)
  })

  test('torchrun: generated flags, extra options, then args; the template’s command is ignored', () => {
    const torchrunConfig = { enable: true, maxRestarts: 3, procPerNode: 4, extraOptions: ['--tee', '3'] }
    const pod = podsOf('PyTorchTrainingJob', {
      replicaSpecs: [
        { type: 'node', replicas: 2, template: container({ command: ['x'], args: ['train.py', '-v'] }, 'main') },
      ],
      torchrunConfig,
    }).get('node-1')
    const { command, args } = pod!.spec!.containers[0]!
    expect(command?.[0]).toBe('torchrun')
    const flag = (name: string) => command?.[command.indexOf(name) + 1]
    expect(flag('--nnodes')).toBe('2')
    expect(flag('--nproc_per_node')).toBe('4')
    expect(flag('--rdzv_backend')).toBe('c10d')
    expect(flag('--rdzv_endpoint')).toMatch(/^job-node-0\.job-[0-9a-f]{5}-peers:23456$/)
    expect(flag('--max_restarts')).toBe('3')
    expect(flag('--role')).toBe('node')
    expect(command?.slice(-2)).toEqual(['--tee', '3'])
    expect(args).toEqual(['train.py', '-v'])
    expect(markedTexts(pod).at(-1)).toBe(`hostport of node-0: ${flag('--rdzv_endpoint')}`)
  })

  test('torchrun: flags that are not set are left out', () => {
    const pod = podsOf('PyTorchTrainingJob', {
      replicaSpecs: [replicaSpecs[1]],
      torchrunConfig: { enabled: true, rdzvBackend: 'etcd' },
    }).get('worker-0')
    const command = pod!.spec!.containers[0]!.command!
    expect(command).not.toContain('--nproc_per_node')
    expect(command).not.toContain('--max_restarts')
    expect(command[command.indexOf('--rdzv_backend') + 1]).toBe('etcd')
  })

  test.each([
    [[], '--rdzv_conf is_host='],
    [['--tee', '3'], '--rdzv_conf is_host='],
    [['--rdzv_conf', 'last_call_timeout=5'], '--rdzv_conf last_call_timeout=5,is_host='],
    [['--rdzv-conf=timeout=9', '--tee', '3'], '--rdzv-conf=timeout=9,is_host='],
  ])('torchrun: the rendezvous is hosted by the master and nobody else, with options %j', (extraOptions, said) => {
    const pods = podsOf('PyTorchTrainingJob', { replicaSpecs, torchrunConfig: { enable: true, extraOptions } })
    for (const [key, hosts] of [
      ['ps-0', 1],
      ['worker-0', 0],
      ['worker-1', 0],
    ] as const) {
      const command = pods.get(key)?.spec?.containers[0]?.command?.join(' ')
      expect(command).toContain(`${said}${hosts}`)
      expect(command?.match(/rdzv.conf/g)).toHaveLength(1)
    }
  })

  test('torchrun: workers find each other again after a restart, under names that peers can resolve', () => {
    const pod = podsOf('PyTorchTrainingJob', { replicaSpecs, torchrunConfig: { enable: true } }).get('worker-1')
    expect(variableOf(pod, 'TORCH_DISABLE_SHARE_RDZV_TCP_STORE')).toBe('1')
    expect(variableOf(pod, 'PET_LOCAL_ADDR')).toMatch(/^job-worker-1\.job-[0-9a-f]{5}-peers$/)
    expect(markedTexts(pod)).toContain(`host of worker-1: ${variableOf(pod, 'PET_LOCAL_ADDR')}`)
    const plain = podsOf('PyTorchTrainingJob', { replicaSpecs }).get('worker-1')
    expect(variableOf(plain, 'PET_LOCAL_ADDR')).toBeUndefined()
  })

  test('torchrun: who hosts another kind of rendezvous is not our business, nor what the user said of it', () => {
    const extraOptions = ['--rdzv_conf', 'is_host=1']
    for (const torchrunConfig of [
      { enable: true, rdzvBackend: 'etcd' },
      { enable: true, extraOptions },
    ]) {
      const pod = podsOf('PyTorchTrainingJob', { replicaSpecs, torchrunConfig }).get('worker-0')
      expect(pod?.spec?.containers[0]?.command?.join(' ')).not.toContain('is_host=0')
    }
  })

  test('torchrun runs in the container called python, else in the first', () => {
    const template = {
      spec: {
        containers: [
          { name: 'a', image: 'i' },
          { name: 'python', image: 'i', args: ['t.py'] },
        ],
      },
    }
    const pod = podsOf('PyTorchTrainingJob', {
      replicaSpecs: [{ type: 'w', template }],
      torchrunConfig: { enable: true },
    }).get('w-0')
    expect(pod?.spec?.containers[0]?.command).toBeUndefined()
    expect(pod?.spec?.containers[1]?.command?.[0]).toBe('torchrun')
  })

  test('elastic: a range of nodes, no fixed rank, and agents that survive newcomers', () => {
    const elastic = { enable: true, minReplicas: 1, maxReplicas: 4, expectedReplicas: 2 }
    const pod = podsOf('PyTorchTrainingJob', {
      replicaSpecs: [replicaSpecs[1]],
      torchrunConfig: { enable: true },
      elastic,
    }).get('worker-1')
    const command = pod!.spec!.containers[0]!.command!
    expect(command[command.indexOf('--nnodes') + 1]).toBe('1:4')
    expect(variableOf(pod, 'TORCH_DISABLE_SHARE_RDZV_TCP_STORE')).toBe('1')
    expect(variableOf(pod, 'WORLD_SIZE')).toBeUndefined()
  })
})

describe('GenericJob', () => {
  const spec = (env: object[], service?: object) => ({
    successRules: [{ worker: [0] }],
    failureRules: [],
    service,
    replicaSpecs: [
      {
        type: 'worker',
        replicas: 2,
        template: container({
          command: ['run', '$(type)-$(rank)'],
          args: ['$(replicas[worker])', '$(HOME)', '$$(rank)'],
          env,
        }),
      },
    ],
  })

  test('references to itself and to counts; everything else is left for Kubernetes', () => {
    const pod = podsOf('GenericJob', spec([])).get('worker-1')
    expect(pod?.spec?.containers[0]).toMatchObject({ command: ['run', 'worker-1'], args: ['2', '$(HOME)', '$$(rank)'] })
    expect(pod?.spec?.hostname).toBeUndefined()
  })

  test('hosts and ports of peers, marked', () => {
    const value =
      '["$(service.worker[0].host):$(service.port[http])"] on $(service.port[http]) at $(service.worker[1].host)'
    const pod = podsOf('GenericJob', spec([{ name: 'P', value }], { ports: [{ name: 'http', port: 2222 }] })).get(
      'worker-1',
    )
    expect(variableOf(pod, 'P')).toBe('["job-worker-0:2222"] on 2222 at job-worker-1')
    expect(markedTexts(pod)).toEqual([
      'hostport of worker-0: job-worker-0:2222',
      'port of worker-1: 2222',
      'host of worker-1: job-worker-1',
    ])
  })
})

describe('TFJob', () => {
  const two = { Chief: { template: container() }, worker: { template: container() } }
  test('v1: not for one replica; only the tensorflow container; evaluator included', () => {
    expect(
      variableOf(
        podsOf('TFJob', { tfReplicaSpecs: { Worker: { template: container() } } }, 'kubeflow.org/v1').get('worker-0'),
        'TF_CONFIG',
      ),
    ).toBeUndefined()
    const template = {
      spec: {
        containers: [
          { name: 'side', image: 'i' },
          { name: 'tensorflow', image: 'i' },
        ],
      },
    }
    const pod = podsOf('TFJob', { tfReplicaSpecs: { ...two, Evaluator: { template } } }, 'kubeflow.org/v1').get(
      'evaluator-0',
    )
    expect(variableOf(pod, 'TF_CONFIG', 0)).toBeUndefined()
    expect(JSON.parse(variableOf(pod, 'TF_CONFIG', 1)!).cluster.evaluator).toEqual(['job-evaluator-0.ns.svc:2222'])
  })

  test('dynamic workers see themselves and the parameter servers', () => {
    const spec = {
      enableDynamicWorker: true,
      tfReplicaSpecs: { PS: { replicas: 2, template: container() }, Worker: { replicas: 2, template: container() } },
    }
    const pods = podsOf('TFJob', spec, 'kubeflow.org/v1')
    expect(JSON.parse(variableOf(pods.get('worker-1'), 'TF_CONFIG')!)).toEqual({
      cluster: { worker: { 1: 'job-worker-1.ns.svc:2222' }, ps: ['job-ps-0.ns.svc:2222', 'job-ps-1.ns.svc:2222'] },
      task: { type: 'worker', index: 1 },
    })
    expect(JSON.parse(variableOf(pods.get('ps-1'), 'TF_CONFIG')!).cluster).toEqual({
      worker: {},
      ps: ['job-ps-1.ns.svc:2222'],
    })
  })
})

describe('wait-for-peers', () => {
  const planWaiting = (kind: string, spec: object) => {
    const annotations = { 'trainyard.dev/wait-for-peers': 'true' }
    const job = { apiVersion: 'batch.tensorstack.dev/v1beta1', kind, metadata: { name: 'job', uid, annotations }, spec }
    return buildPlan(read(job as unknown as TrainingJob)).filter((o) => o.kind === 'Pod') as Pod[]
  }

  test('workers wait for their master, from their own image', () => {
    const [master, worker] = planWaiting('PyTorchTrainingJob', {
      replicaSpecs: [
        { type: 'master', template: container() },
        { type: 'worker', template: container() },
      ],
    })
    expect(master?.spec?.initContainers).toBeUndefined()
    expect(worker?.spec?.initContainers).toMatchObject([
      { name: 'wait-for-peers', image: 'i', args: expect.arrayContaining([expect.stringContaining('job-master-0.')]) },
    ])
    expect(marksOf(worker).places.at(-1)).toMatchObject({ container: 'wait-for-peers', args: 3 })
  })
})

test('where peers are waited for, Services know pods before they are ready, lest all wait for ever', () => {
  const replicaSpecs = [{ type: 'worker', replicas: 2, template: container() }]
  const rules = { successRules: [{ worker: [0] }], failureRules: [], service: { ports: [{ name: 'p', port: 80 }] } }
  const specs = {
    TensorFlowTrainingJob: { replicaSpecs },
    PyTorchTrainingJob: { replicaSpecs },
    GenericJob: { replicaSpecs, ...rules },
    TFJob: { tfReplicaSpecs: { Worker: { replicas: 2, template: container() } } },
  }
  for (const [kind, spec] of Object.entries(specs)) {
    const apiVersion = kind === 'TFJob' ? 'kubeflow.org/v1' : 'batch.tensorstack.dev/v1beta1'
    const annotations = { 'trainyard.dev/wait-for-peers': 'true' }
    const job = { apiVersion, kind, metadata: { name: 'job', uid, annotations }, spec }
    const services = buildPlan(read(job as unknown as TrainingJob)).filter((o) => o.kind === 'Service') as Service[]
    expect(services.length).toBeGreaterThan(0)
    for (const service of services) {
      expect(service.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true })
    }
  }
})

test('hostNetwork pods resolve cluster names unless the user set a policy', () => {
  const spec = (extra: object) => ({
    replicaSpecs: [
      { type: 'w', template: { spec: { hostNetwork: true, ...extra, containers: [{ name: 'c', image: 'i' }] } } },
    ],
  })
  expect(podsOf('PyTorchTrainingJob', spec({})).get('w-0')?.spec?.dnsPolicy).toBe('ClusterFirstWithHostNet')
  expect(podsOf('PyTorchTrainingJob', spec({ dnsPolicy: 'None' })).get('w-0')?.spec?.dnsPolicy).toBe('None')
})
