// Gangs and queues in the embedded home, with real processes and in real time.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS, NODES, PODS } from '../../src/kube/index.ts'
import { fromTimestamp } from '../../src/lib/time.ts'
import { CONFIG_MAPS, POD_GROUPS } from '../../src/scheduler/facts/resources.ts'
import { HomeWithQueues } from './home-with-queues.ts'

const LONG = 300_000
const home = new HomeWithQueues()
beforeAll(() => home.start(), LONG)
afterAll(() => home.stop(), LONG)

const sign = (name: string): string => join(home.dir, name)
const until = (name: string): string => `until [ -e ${sign(name)} ]; do sleep 0.05; done`

test(
  'a gang is spread over the nodes as a whole; the next one says what it waits for until there is room',
  async () => {
    await home.submit('first', { queue: 'default', replicas: 3, cpu: 2, script: until('first') })
    await home.phase('first', 'Running')
    const nodes = (await home.podsOf('first')).map((pod) => pod.spec?.nodeName).sort()
    expect(nodes).toEqual(['node-1', 'node-1', 'node-2'])
    await home.submit('second', { queue: 'default', replicas: 2, cpu: 2, script: until('second') })
    const words = '2 pods need 4 CPU together, 2 of 8 are free; first holds 6; 1st of 1 in queue default'
    await home.waitsFor('second', 'InsufficientResources', words)
    for (const pod of await home.podsOf('second')) expect(pod.spec?.nodeName).toBeUndefined()
    writeFileSync(sign('first'), '')
    await home.phase('first', 'Succeeded')
    await home.phase('second', 'Running')
    await home.until('job and group say that it is placed', async () => {
      const { status } = await home.job('second')
      expect(status?.conditions?.find(({ type }) => type === 'GangScheduling')).toMatchObject({ status: 'True' })
      const group = await home.group('second')
      expect(group.status).toMatchObject({ running: 2, pending: 0, allocated: { cpu: '4', pods: '2' } })
      expect(group.status?.conditions).toMatchObject([
        { type: 'GroupScheduled', status: 'True', reason: 'PodGroupScheduled', transitionID: '2' },
        { type: 'SufficientGroupMember', status: 'True', reason: 'SufficientMemberPods', transitionID: '1' },
      ])
    })
    writeFileSync(sign('second'), '')
    await home.phase('second', 'Succeeded')
  },
  LONG,
)

test(
  'a preempted job goes on where it was once there is room, and finishes without having spent a restart',
  async () => {
    await home.queue('low', { priority: 1 })
    await home.queue('high', { priority: 2, quota: { requests: { cpu: 8 } } })
    // Counts its starts; only the second one may come to an end.
    const begun = (times: number): Promise<void> =>
      home.until(`${times} starts`, async () => {
        expect(readFileSync(sign('starts'), 'utf8')).toBe('x\n'.repeat(times))
      })
    const script = `echo x >> ${sign('starts')}; ${until('urgent-is-done')}; echo y >> ${sign('ends')}`
    await home.submit('patient', { queue: 'low', replicas: 2, cpu: 3, script })
    await home.phase('patient', 'Running')
    await begun(2)
    const before = (await home.podsOf('patient')).map(({ metadata }) => metadata?.uid)
    await home.submit('urgent', { queue: 'high', replicas: 2, cpu: 4, script: `${until('urgent')}` })
    await home.phase('urgent', 'Running')
    await home.waitsFor(
      'patient',
      'InsufficientResources',
      '2 pods need 6 CPU together, 0 of 8 are free; urgent holds 8; 1st of 1 in queue low',
    )
    await home.until('events tell of it', async () => {
      const events = (await home.client.list(EVENTS)).items.filter(({ reason }) => reason === 'Preempted')
      const because = 'removed to make room for urgent of queue high, which goes first'
      expect(events.map(({ message }) => message)).toEqual([because, because])
    })
    writeFileSync(sign('urgent'), '')
    await home.phase('urgent', 'Succeeded')
    await begun(4)
    writeFileSync(sign('urgent-is-done'), '')
    const job = await home.phase('patient', 'Succeeded')
    expect(job.status).toMatchObject({ backoffCount: 0 })
    for (const { metadata } of await home.podsOf('patient')) expect(before).not.toContain(metadata?.uid)
    expect(existsSync(sign('ends'))).toBe(true)
  },
  LONG,
)

test(
  'maxDuration 3s pauses the job three seconds after its pods were made, and it can be resumed',
  async () => {
    await home.queue('short', { maxDuration: '3s' })
    await home.submit('endless', { queue: 'short', script: until('never') })
    const paused = await home.phase('endless', 'Paused')
    expect(paused.spec).toMatchObject({ runMode: { pause: { enable: true } } })
    const event = await home.until('an event tells', async () => {
      const found = (await home.eventsOn('endless')).find(({ reason }) => reason === 'MaxDurationExceeded')
      expect(found?.message).toBe('maxDuration 3s of queue short has passed; the job is paused')
      return found!
    })
    const lived = fromTimestamp(event.firstTimestamp)! - fromTimestamp(paused.metadata.creationTimestamp)!
    expect(lived).toBeGreaterThanOrEqual(3_000)
    await home.until('its pods are gone', async () => expect(await home.podsOf('endless')).toHaveLength(0))
    await home.changeQueue('short', { maxDuration: '0' })
    await home.changeJob('endless', { spec: { runMode: { pause: { enable: false } } } })
    await home.phase('endless', 'Running')
    await home.remove('endless')
  },
  LONG,
)

test(
  'a queue that is missing, closed, closed to the namespace or too small says so, and serves once it is put right',
  async () => {
    await home.submit('lost', { queue: 'nowhere', script: 'true' })
    await home.waitsFor('lost', 'QueueNotFound', /^queue nowhere does not exist; there (is|are) default/)
    await home.queue('nowhere')
    await home.phase('lost', 'Succeeded')

    await home.queue('shut', { closed: true })
    await home.submit('outside', { queue: 'shut', script: 'true' })
    await home.waitsFor('outside', 'QueueClosed', 'queue shut is closed; 1st of 1 in queue shut')
    await home.changeQueue('shut', { closed: false })
    await home.phase('outside', 'Succeeded')

    await home.queue('others', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'elsewhere' } } })
    await home.submit('stranger', { queue: 'others', script: 'true' })
    await home.waitsFor('stranger', 'NamespaceNotAllowed', /^queue others is not open to namespace default/)
    await home.changeQueue('others', {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
    })
    await home.phase('stranger', 'Succeeded')

    await home.queue('tiny', { quota: { requests: { cpu: 1 } } })
    await home.submit('large', { queue: 'tiny', replicas: 2, cpu: 1, script: 'true' })
    await home.waitsFor(
      'large',
      'QuotaTooSmall',
      /^2 pods need 2 CPU together, but the quota of queue tiny is 1 in all/,
    )
    await home.changeQueue('tiny', { quota: { requests: { cpu: 2 } } })
    await home.phase('large', 'Succeeded')

    await home.submit('huge', { queue: 'default', replicas: 3, cpu: 4, script: 'true' })
    await home.waitsFor('huge', 'ClusterTooSmall', /^3 pods need 12 CPU together, but the cluster has 8 in all/)
    await home.remove('huge')
  },
  LONG,
)

test(
  'what runs goes on when its quota shrinks or its queue is deleted; what is new waits',
  async () => {
    await home.queue('doomed', { quota: { requests: { cpu: 4 } } })
    await home.submit('runs', { queue: 'doomed', replicas: 2, cpu: 1, script: until('runs') })
    await home.phase('runs', 'Running')
    await home.changeQueue('doomed', { quota: { requests: { cpu: 1 } } })
    await home.submit('late', { queue: 'doomed', cpu: 1, script: 'true' })
    await home.waitsFor(
      'late',
      'QuotaExceeded',
      'needs 1 CPU, 0 of 1 left in the quota of queue doomed; 2 are in use, more than the quota; runs holds 2; 1st of 1 in queue doomed',
    )
    const queue = await home.until('the queue is under pressure', async () => {
      const now = await home.queueNow('doomed')
      expect(now.status).toMatchObject({ podGroups: { total: 2 }, pods: { running: 2, pending: 1 } })
      return now
    })
    expect(queue.status?.conditions).toMatchObject([
      { type: 'QueueClosed', status: 'False', reason: 'QueueOpen', message: 'Queue is open' },
      {
        type: 'ResourcePressure',
        status: 'True',
        reason: 'QueueHasResourcePressure',
        message: '2 CPU in use, more than the quota of 1: what runs goes on, nothing new is placed',
      },
    ])
    await home.toldOn('t9k-system', 'doomed', 'QuotaBelowUse', /^2 CPU in use, more than the quota of 1/)
    await home.dropQueue('doomed')
    await home.toldOn('default', 'runs', 'QueueDeleted', /^queue doomed was deleted: what runs goes on/)
    await home.waitsFor('late', 'QueueNotFound', /^queue doomed does not exist/)
    writeFileSync(sign('runs'), '')
    await home.phase('runs', 'Succeeded')
    await home.remove('late')
  },
  LONG,
)

test(
  'gangs that each hold what the other one waits for: the later one gives way and says so',
  async () => {
    await home.queue('ring', { closed: true })
    // Each has a node to itself and needs the other one too; while the queue is closed nobody looks for a way out.
    for (const [i, name] of ['ring-a', 'ring-b'].entries()) {
      await home.client.create(POD_GROUPS, {
        apiVersion: 'scheduler.tensorstack.dev/v1beta1',
        kind: 'PodGroup',
        metadata: { name, namespace: 'default' },
        spec: { minMember: 2, queue: 'ring', priority: 1 - i },
      })
      await home.pod(`${name}-0`, name, { cpu: 4, node: `node-${i + 1}`, script: until('never') })
      await home.pod(`${name}-1`, name, { cpu: 4, script: until('never') })
    }
    const scheduled = (name: string, condition: object): Promise<void> =>
      home.until(`${name} is told`, async () => {
        const { status } = await home.group(name)
        expect(status?.conditions?.find(({ type }) => type === 'GroupScheduled')).toMatchObject(condition)
      })
    for (const name of ['ring-a', 'ring-b']) await scheduled(name, { status: 'False', reason: 'QueueClosed' })
    await home.changeQueue('ring', { closed: false })
    await scheduled('ring-a', { status: 'True', reason: 'PodGroupScheduled' })
    const because = /^removed because its group was waiting for room, and so was ring-a of queue ring, which goes first/
    await home.toldOn('default', 'ring-b-0', 'Released', because)
    await scheduled('ring-b', { status: 'False', reason: 'NotEnoughMembers' })
    for (const name of ['ring-a-0', 'ring-a-1', 'ring-b-1'])
      await home.client.delete(PODS, { namespace: 'default', name })
  },
  LONG,
)

test(
  'a queue keeps to its nodes; a pod without a group is a group by itself',
  async () => {
    const values = ['node-2']
    await home.queue('second-node', {
      nodeSelector: { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values }] },
    })
    await home.client.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'alone', namespace: 'default', labels: { 'scheduler.tensorstack.dev/queue': 'second-node' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'none', command: ['true'] }] },
    })
    await home.until('it has run there', async () => {
      const pod = await home.client.get(PODS, { namespace: 'default', name: 'alone' })
      expect(pod).toMatchObject({ spec: { nodeName: 'node-2' }, status: { phase: 'Succeeded' } })
    })
  },
  LONG,
)

test(
  'taints, node affinity and the sizes that a queue allows are kept to',
  async () => {
    const taints = [{ key: 'kept', value: 'clean', effect: 'NoSchedule' }]
    for (const name of ['node-1', 'node-2'])
      await home.client.patch(NODES, { name }, { type: 'merge', body: { spec: { taints } } })
    await home.submit('repelled', { queue: 'default', script: 'true' })
    const repelled = /^does not tolerate the taint kept=clean:NoSchedule of node node-1, and so it is with 1 more;/
    await home.waitsFor('repelled', 'NoMatchingNode', repelled)
    const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['node-1'] }] }]
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } }
    await home.client.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'tolerant', namespace: 'default' },
      spec: {
        restartPolicy: 'Never',
        tolerations: [{ key: 'kept', operator: 'Exists' }],
        affinity: { nodeAffinity: required },
        containers: [{ name: 'c', image: 'none', command: ['true'] }],
      },
    })
    await home.until('it has run where it may', async () => {
      const pod = await home.client.get(PODS, { namespace: 'default', name: 'tolerant' })
      expect(pod).toMatchObject({ spec: { nodeName: 'node-2' }, status: { phase: 'Succeeded' } })
    })
    await home.client.patch(NODES, { name: 'node-1' }, { type: 'merge', body: { spec: { taints: null } } })
    await home.phase('repelled', 'Succeeded')
    await home.client.patch(NODES, { name: 'node-2' }, { type: 'merge', body: { spec: { taints: null } } })

    const shape = (cpu: number): string =>
      `profiles: [{name: small, rules: [{apiGroups: ['*'], resources: [pods], resourceShape: {requests: {cpu: ${cpu}}}}]}]`
    const metadata = { name: 'resource-shapes', namespace: 't9k-system' }
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
    await home.client.create(CONFIG_MAPS, { ...configMap, data: { 'config.yaml': shape(1) } })
    await home.queue('shaped', { resourceShapeProfile: 'small' })
    await home.submit('oversized', { queue: 'shaped', cpu: 2, script: 'true' })
    const words = 'queue shaped allows requests of 1 CPU a pod (profile small), it has 2; 1st of 1 in queue shaped'
    await home.waitsFor('oversized', 'ShapeExceeded', words)
    const body = { data: { 'config.yaml': shape(2) } }
    await home.client.patch(CONFIG_MAPS, { namespace: 't9k-system', name: 'resource-shapes' }, { type: 'merge', body })
    await home.phase('oversized', 'Succeeded')
  },
  LONG,
)

test(
  'a queue that was deleted stays deleted, also the one that a new home brings',
  async () => {
    await home.dropQueue('default')
    await home.restart()
    await expect(home.queueNow('default')).rejects.toThrow('not found')
    await home.queue('default')
  },
  LONG,
)

test.each([-1, 101])('a priority of %i is refused by name', async (priority) => {
  const refused = home.submit('nobody', { queue: 'default', script: 'true', priority })
  await expect(refused).rejects.toThrow(
    /spec\.scheduler\.t9kScheduler\.priority: Invalid value: -?\d+: .* should be (less|greater) than or equal to/,
  )
  await expect(home.queue('no-queue', { priority })).rejects.toThrow(/spec\.priority: Invalid value/)
})
