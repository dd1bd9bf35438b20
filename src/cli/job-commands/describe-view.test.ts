import { expect, test } from 'vitest'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { JobCondition, JobStatus, PyTorchTrainingJob } from '../../api/types.ts'
import { read } from '../../core/read.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import type { Style } from '../output/terminal.ts'
import { attemptsOf } from './attempts.ts'
import { renderDescription } from './describe-view.ts'
import { type ApiEvent, eventsOfJob } from './job-events.ts'
import type { KeptLog } from './log-sources.ts'
import { namesOfReplicas } from './replica-of-pod.ts'

const plain: Style = { width: 100, utf8: true, coloured: false, paint: (_, text) => text, ellipsis: '…' }
const created = Date.parse('2026-11-16T09:12:04Z')
const at = (seconds: number): string => new Date(created + seconds * 1000).toISOString().replace('.000', '')
const now = created + 360_000

const template = { spec: { containers: [{ name: 'train' }] } }
const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: {
    name: 'digits',
    namespace: 'default',
    uid: '3f0c6a52-8d1e-4b77-9a40-5be1c2d7f913',
    creationTimestamp: at(0),
  },
  spec: {
    replicaSpecs: [
      { type: 'master', template },
      { type: 'worker', replicas: 2, restartPolicy: 'OnFailure', template },
    ],
  },
} as unknown as PyTorchTrainingJob & AnyJob
const model = read(job)
const names = namesOfReplicas(model)
const podName = (replica: string): string => `digits-${model.hash}-${replica}`

const entry = (replica: string, more: object = {}) => ({
  name: podName(replica),
  uid: `${replica}-last`,
  phase: 'Succeeded' as const,
  containers: [{ name: 'train', state: 'Terminated' as const, exitCode: 0 }],
  ...more,
})
const record: JobStatus = {
  phase: 'Succeeded',
  finishedBy: 'Success',
  backoffCount: 1,
  activeSeconds: 19,
  completionTime: at(19),
  aggregate: { creating: 0, pending: 0, running: 0, succeeded: 3, failed: 0, unknown: 0, deleted: 0 },
  tasks: [
    { type: 'master', replicaStatus: [entry('master-0')] },
    { type: 'worker', replicaStatus: [entry('worker-0'), entry('worker-1', { attempt: 2, restartCount: 1 })] },
  ],
}
const conditions: JobCondition[] = [
  { type: 'Initialized', status: 'True', reason: '-', lastTransitionTime: at(0), message: 'It has been initialized.' },
  { type: 'Completed', status: 'True', reason: 'Succeeded', lastTransitionTime: at(19), message: 'x'.repeat(80) },
]

function pod(replica: string, from: number, to: number): Pod {
  const [type, index] = replica.split('-') as [string, string]
  const terminated = { exitCode: 0, startedAt: at(from), finishedAt: at(to) }
  return {
    metadata: {
      name: podName(replica),
      uid: `${replica}-last`,
      labels: { 'replica-type': type, 'replica-index': index },
    },
    status: { containerStatuses: [{ name: 'train', state: { terminated } }] as never },
  }
}
const pods = [pod('master-0', 0, 19), pod('worker-0', 0, 18), pod('worker-1', 8, 18)]

let version = 0
function event(second: number, type: string, reason: string, message: string, about: object = {}): ApiEvent {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `e${version}`, resourceVersion: String(++version) },
    involvedObject: { kind: 'PyTorchTrainingJob', name: 'digits', uid: job.metadata.uid, ...about },
    firstTimestamp: at(second),
    lastTimestamp: at(second),
    type,
    reason,
    message,
  }
}
const events = [
  event(19, 'Normal', 'Succeeded', 'master-0 finished, and master-0 decides'),
  event(0, 'Normal', 'NewReplica', `Create the replica[${podName('master-0')}] for the first time.`),
  event(7, 'Warning', 'ReplicaFailed', 'worker-1: killed by SIGKILL (exit 137)'),
  event(7, 'Normal', 'RestartReplica', 'worker-1: restartPolicy OnFailure, restart 1 of 3'),
  event(0, 'Normal', 'Other', 'of another job', { uid: 'another' }),
  event(1, 'Normal', 'ImageNotUsed', 'not used here', { kind: 'Pod', name: podName('worker-0') }),
]
const kept = (replica: string, attempt: number, second: number, uid = `${replica}-last`): KeptLog => ({
  pod: podName(replica),
  uid,
  attempt,
  container: 'train',
  run: 1,
  bytes: 1,
  createdAt: at(second),
})
const logs = [kept('master-0', 1, 0), kept('worker-0', 1, 0), kept('worker-1', 1, 0, 'first'), kept('worker-1', 2, 8)]

function describe(more: { status?: JobStatus; pods?: Pod[]; kept?: KeptLog[]; events?: ApiEvent[] } = {}): string {
  const status = more.status ?? record
  const told = eventsOfJob(more.events ?? events, job, names)
  const seen = { model, names, record: status, pods: more.pods ?? pods, events: told, kept: more.kept, now }
  const description = { job: { ...job, status } as AnyJob, model, replicas: attemptsOf(seen), conditions, events: told }
  return `${renderDescription(description, plain, now).join('\n')}\n`.replaceAll(model.hash, '820d8')
}

test('a finished job with a restart, from its head to its last event', () => {
  expect(describe({ kept: logs })).toBe(
    `Name:        digits                              Kind:      PyTorchTrainingJob
Namespace:   default                             UID:       3f0c6a52-8d1e-4b77-9a40-5be1c2d7f913
Phase:       Succeeded                           Created:   2026-11-16 09:12:04 (6m ago)
Result:      master-0 finished with exit 0       Duration:  19s
Restarts:    1 of 3                              Clean-up:  None (finished pods are kept)

Replicas:
  REPLICA   RANK  PHASE      ATTEMPT  EXIT  RAN  POD
  master-0     0  Succeeded        1     0  19s  digits-820d8-master-0
  worker-0     1  Succeeded        1     0  18s  digits-820d8-worker-0
  worker-1     2  Failed           1   137   7s  digits-820d8-worker-1
                  Succeeded        2     0  10s  digits-820d8-worker-1

Conditions:
  TYPE         STATUS  REASON     FOR    MESSAGE
  Initialized  True    -          6m     It has been initialized.
  Completed    True    Succeeded  5m41s  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…

Events:
  AGE    TYPE     REASON          OBJECT    MESSAGE
  6m     Normal   Created         job       A PyTorchTrainingJob has been created: digits
  6m     Normal   NewReplica      master-0  Create the replica[digits-820d8-master-0] for the first…
  5m59s  Normal   ImageNotUsed    worker-0  not used here
  5m53s  Warning  ReplicaFailed   worker-1  killed by SIGKILL (exit 137)
  5m53s  Normal   RestartReplica  worker-1  restartPolicy OnFailure, restart 1 of 3
  5m41s  Normal   Succeeded       job       master-0 finished, and master-0 decides
`,
  )
})

test('on a cluster, where no logs are kept, events tell of earlier attempts', () => {
  expect(describe()).toContain(`  worker-1     2  Failed           1   137    -  digits-820d8-worker-1
                  Succeeded        2     0  10s  digits-820d8-worker-1
`)
})

test('an attempt that no event tells of was stopped', () => {
  const stopped = [...logs.slice(0, 2), kept('worker-1', 1, 8.5, 'first'), kept('worker-1', 2, 12)]
  expect(describe({ kept: stopped })).toContain(
    `  worker-1     2  Stopped          1     -   4s  digits-820d8-worker-1`,
  )
})

test('an ending belongs to one attempt, even if two began in the second it was told in', () => {
  const close = [kept('worker-1', 1, 0, 'a'), kept('worker-1', 2, 7.4, 'b'), kept('worker-1', 3, 12)]
  expect(describe({ kept: close })).toContain(`  worker-1     2  Failed           1   137   7s  digits-820d8-worker-1
                  Stopped          2     -   5s  digits-820d8-worker-1
                  Succeeded        3     0  10s  digits-820d8-worker-1
`)
})

test('endings that one event tells of all count, with how long those in the middle ran left open', () => {
  const failed = event(1, 'Warning', 'ReplicaFailed', 'worker-1: exit 3')
  const often = [{ ...failed, count: 3, lastTimestamp: at(7) }]
  const starts = [kept('worker-1', 1, 0, 'a'), kept('worker-1', 2, 2, 'b'), kept('worker-1', 3, 5, 'c')]
  expect(
    describe({ kept: [...starts, kept('worker-1', 4, 8)], events: often }),
  ).toContain(`  worker-1     2  Failed           1     3   1s  digits-820d8-worker-1
                  Failed           2     3    -  digits-820d8-worker-1
                  Failed           3     3   2s  digits-820d8-worker-1
                  Succeeded        4     0  10s  digits-820d8-worker-1
`)
})

test('a paused attempt was stopped when the job was paused, and the next one is still to come', () => {
  const paused = [event(5, 'Normal', 'Paused', 'spec.runMode.pause; 3 pods stopped, counters kept')]
  const entry = { name: podName('worker-1'), phase: 'Pending', uid: 'b', replaces: 'b', attempt: 2 }
  const containers = [{ name: 'train', state: 'Terminated', exitCode: 143 }]
  const status = { tasks: [{ type: 'worker', replicaStatus: [{ ...entry, containers }] }] } as JobStatus
  const starts = [kept('worker-1', 1, 0, 'b')]
  expect(
    describe({ status, pods: [], kept: starts, events: paused }),
  ).toContain(`  worker-1     2  Stopped        1     -   5s  digits-820d8-worker-1
                  Pending        2     -    -  digits-820d8-worker-1
`)
  const resumed = [...starts, kept('worker-1', 2, 60)]
  expect(describe({ kept: resumed, events: paused })).toContain(`Stopped          1     -   5s  digits-820d8-worker-1
                  Succeeded        2     0  10s  digits-820d8-worker-1
`)
})

test('a replica whose process has ended does not run, although the status does not say so yet', () => {
  const status = { tasks: [{ type: 'master', replicaStatus: [entry('master-0', { phase: 'Running' })] }] } as JobStatus
  expect(describe({ status })).toContain('  master-0     0  Succeeded        1     0  19s  digits-820d8-master-0')
})

test('a job nobody has looked at yet has nothing but its plan', () => {
  const page = describe({ status: {}, pods: [] })
  expect(page).toContain('Phase:       Pending ')
  expect(page).toContain('Result:      - ')
  expect(page).toContain('  master-0     0  Pending        1     -    -  digits-820d8-master-0')
})

test('an event that came again stands where its age does', () => {
  const failed = { ...event(1, 'Warning', 'ReplicaFailed', 'worker-1: exit 3'), count: 3, lastTimestamp: at(7) }
  const between = event(5, 'Normal', 'Running', '3 of 3 replicas run')
  expect(describe({ events: [failed, between] })).toContain(`
  5m55s  Normal   Running        job       3 of 3 replicas run
  5m53s  Warning  ReplicaFailed  worker-1  exit 3 (3 times)
`)
})

test('of a pod that was cleaned up, the logs of the container that trained know how long it ran', () => {
  const times = { startedAt: at(1), finishedAt: at(13) }
  const side = { ...kept('master-0', 1, 0), container: 'side', startedAt: at(1), finishedAt: at(19) }
  const gone = [side, { ...kept('master-0', 1, 0), ...times }, ...logs.slice(1)]
  expect(describe({ pods: [], kept: gone })).toContain('  master-0     0  Succeeded        1     0  12s  digits-820d8')
})
