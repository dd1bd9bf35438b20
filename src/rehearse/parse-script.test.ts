import { expect, test } from 'vitest'
import type { TrainingJob } from '../api/types.ts'
import { parseScript } from './parse-script.ts'

const containers = [
  { name: 'train', image: 'i', args: ['train.py'] },
  { name: 'side', image: 'i' },
]
const template = { spec: { containers } }

const job = {
  apiVersion: 'batch.tensorstack.dev/v1beta1',
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'digits' },
  spec: {
    replicaSpecs: [
      { type: 'master', template },
      { type: 'worker', replicas: 3, template },
    ],
  },
} as TrainingJob

const elastic = {
  ...job,
  spec: {
    replicaSpecs: [{ type: 'node', template }],
    torchrunConfig: { enable: true },
    elastic: { enable: true, minReplicas: 1, maxReplicas: 6, expectedReplicas: 2 },
  },
} as TrainingJob

/** As the command prints them. */
function errorsOf(text: string, of = job): string[] {
  const parsed = parseScript(text, 'oops.yaml', of)
  if (!('errors' in parsed)) return []
  return parsed.errors.map(
    ({ line, column, path, message }) => `${line}:${column}: ${path ? `${path}: ` : ''}${message}`,
  )
}

const ONLY = 'only master-0, worker-{0..2}'

test.each([
  ['events:\n  - {replica: worker-7, at: 1s, exit: 1}', `2:15: events[0].replica: the job has no worker-7, ${ONLY}`],
  ['replicas: {worker-3: {exitAfter: 1s}}', `1:12: replicas.worker-3: the job has no worker-3, ${ONLY}`],
  ['replicas: {worker: {exitAfter: 1s}}', `1:12: replicas.worker: the job has no worker, ${ONLY}`],
  ['replicas: {worker-00: {}}', `1:12: replicas.worker-00: the job has no worker-00, ${ONLY}`],
  [
    'events: [{at: 1s, node: lost, replicas: [worker-1, ps-0]}]',
    `1:52: events[0].replicas[1]: the job has no ps-0, ${ONLY}`,
  ],
  ['events: [{at: 1s, garbageCollect: x}]', `1:35: events[0].garbageCollect: the job has no x, ${ONLY}`],
  ['event: []', '1:1: event: unknown key; did you mean events?'],
  ['defaults: {exitAfer: 1s}', '1:12: defaults.exitAfer: unknown key; did you mean exitAfter?'],
  ['events: [{at: 1s, replika: worker-1, exit: 1}]', '1:19: events[0].replika: unknown key; did you mean replica?'],
  [
    'defaults: {qqq: 1s}',
    '1:12: defaults.qqq: unknown key; known here: scheduleAfter, startAfter, exitAfter, exitCode',
  ],
  ['until: 10', '1:8: until: 10 has no unit; write 10s for seconds'],
  ['until: "10"', '1:8: until: "10" has no unit; write 10s for seconds'],
  ['until: soon', '1:8: until: "soon" is not a duration; write it like 30s, 1m30s or 24h'],
  ['until: -1s', '1:8: until: "-1s" is not a duration; write it like 30s, 1m30s or 24h'],
  ['until: [1s]', '1:8: until: must be a duration such as 30s, 1m30s or 24h'],
  ['until: 900000d', '1:8: until: "900000d" is more than a year'],
  ['until: never', '1:8: until: "never" is not a duration; write it like 30s, 1m30s or 24h'],
  [
    'defaults: {exitCode: 256}',
    '1:22: defaults.exitCode: 256 is not an exit code; they are whole numbers from 0 to 255',
  ],
  [
    'defaults: {exitCode: "0"}',
    '1:22: defaults.exitCode: "0" is not an exit code; they are whole numbers from 0 to 255',
  ],
  [
    'events: [{at: 1s, replica: worker-1, exit: -1}]',
    '1:44: events[0].exit: -1 is not an exit code; they are whole numbers from 0 to 255',
  ],
  [
    'events: [{at: 1s, replica: worker-1, exit: 1, container: x}]',
    '1:58: events[0].container: worker-1 has no container "x", only train, side',
  ],
  ['events: [{at: 1s, pause: perhaps}]', '1:26: events[0].pause: "perhaps" is neither true nor false'],
  ['events: [{at: 1s, capacity: -1}]', '1:29: events[0].capacity: -1 is not a number of pods'],
  ['events: [{at: 1s, scale: 1.5}]', '1:26: events[0].scale: 1.5 is not a number of pods'],
  [
    'events: [{at: 1s, controller: sleep}]',
    '1:31: events[0].controller: "sleep" is not possible; write controller: crash',
  ],
  [
    'events: [{at: 1s, node: found, replicas: [worker-1]}]',
    '1:25: events[0].node: "found" is not possible; write node: lost',
  ],
  [
    'events: [{at: 1s, node: lost}]',
    '1:10: events[0]: replicas must list those whose node is lost, such as [worker-2]',
  ],
  [
    'events: [{at: 1s, replica: worker-1, evict: false}]',
    '1:45: events[0].evict: false is not possible; write evict: true',
  ],
  ['events: [{at: 1s, evict: true}]', '1:10: events[0]: replica is missing: whom does it happen to?'],
  ['events: [{replica: worker-1, evict: true}]', '1:10: events[0]: at is missing: when does it happen?'],
  [
    'events: [{at: 1s, pause: true, scale: 4}]',
    '1:10: events[0]: says pause and scale; an event has exactly one of exit, evict, delete, node, pause, scale, patch, controller, garbageCollect, capacity',
  ],
  [
    'events: [{at: 1s}]',
    '1:10: events[0]: says nothing of what happens; an event has exactly one of exit, evict, delete, node, pause, scale, patch, controller, garbageCollect, capacity',
  ],
  ['events: [{at: 1s, pause: true, replica: worker-1}]', '1:32: events[0].replica: does not go with pause'],
  [
    'events: [{at: 1s, patch: 5}]',
    '1:26: events[0].patch: must be a map with what to change, such as {spec: {runPolicy: {backoffLimit: 5}}}',
  ],
  ['events: {at: 1s}', '1:9: events: must be a list of events'],
  ['events: [crash]', '1:10: events[0]: must be a map such as {at: 10s, replica: worker-1, exit: 137}'],
  [
    'replicas: [worker-1]',
    '1:11: replicas: must be a map from replicas to what they do, such as {worker-1: {exitAfter: 5s}}',
  ],
  ['- at: 1s', '1:1: must be a map with defaults, replicas, events and until'],
  ['until: 1s\nuntil: 2s', '2:1: the same key stands here a second time'],
  ['until: 1s\n---\nuntil: 2s', '2:1: a second document begins here; a script is one'],
  ['until: "1s', '1:11: is not YAML: a quote, bracket or comma is missing or does not belong here'],
  ['until: *gone', '1:1: uses aliases too often, or one that has no anchor'],
])('%j', (text, error) => {
  expect(errorsOf(text)).toEqual([error])
})

test('all errors of a script are told, in order of the file', () => {
  const text = 'until: 5\ndefaults: {exitAfter: x}\nevents:\n  - {at: 1s, replica: worker-9, exit: 999}\n'
  expect(errorsOf(text).map((error) => error.split(':').slice(0, 2).join(':'))).toEqual(['1:8', '2:23', '4:23', '4:39'])
})

test('what is right is taken as it stands', () => {
  const text =
    'defaults: {exitAfter: never}\nevents:\n  - {at: 1m30s, replica: worker-2, exit: 3, container: side}\nuntil: 1.5h\n'
  expect(parseScript(text, 'f', job)).toEqual({
    script: {
      defaults: { exitAfter: 'never' },
      events: [{ at: '1m30s', replica: 'worker-2', exit: 3, container: 'side' }],
      until: '1.5h',
    },
  })
})

test.each(['', '# nothing\n', 'events:\n', '{}'])('%j is a script without events', (text) => {
  expect(errorsOf(text)).toEqual([])
})

test('an elastic job has its replicas up to maxReplicas', () => {
  expect(errorsOf('replicas: {node-5: {exitAfter: 1s}}', elastic)).toEqual([])
  expect(errorsOf('replicas: {node-6: {exitAfter: 1s}}', elastic)).toEqual([
    '1:12: replicas.node-6: the job has no node-6, only node-{0..5}',
  ])
})

test('a patch of the script may bring replicas', () => {
  const tfjob = {
    apiVersion: 'kubeflow.org/v1',
    kind: 'TFJob',
    metadata: { name: 'tf' },
    spec: { enableDynamicWorker: true, tfReplicaSpecs: { Worker: { replicas: 2, template } } },
  } as unknown as TrainingJob
  const patch = '{at: 5s, patch: {spec: {tfReplicaSpecs: {Worker: {replicas: 3}}}}}'
  expect(errorsOf(`events: [${patch}, {at: 9s, replica: worker-2, exit: 1}]`, tfjob)).toEqual([])
  expect(errorsOf('events: [{at: 9s, replica: worker-2, exit: 1}]', tfjob)).toHaveLength(1)
})

test.each([
  [
    'an alias bomb',
    `a: &a [x]\n${'bcdefghijk'.replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
  ],
  ['ten megabytes', '  - {at: 1s, pause: true}\n'.repeat(400_000)],
  ['many keys', Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n')],
  ['deep brackets', '['.repeat(200_000)],
  ['a script that contains itself', 'events: &e\n  - *e\n'],
])(
  '%s gets an answer soon',
  (_, text) => {
    expect(errorsOf(text).length).toBeGreaterThan(0)
  },
  20_000,
)
