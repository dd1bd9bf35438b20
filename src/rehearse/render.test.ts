import { expect, test } from 'vitest'
import type { TrainingJob } from '../api/types.ts'
import { rehearse, renderRehearsal, type Script } from './rehearse.ts'

const template = { spec: { containers: [{ name: 'train', image: 'node:24-alpine', command: ['node', 'train.mjs'] }] } }

function digits(workers = 3, runPolicy: object = {}): TrainingJob {
  const replicaSpecs = [
    { type: 'master', restartPolicy: 'OnFailure', template },
    { type: 'worker', replicas: workers, restartPolicy: 'OnFailure', template },
  ]
  const kind = 'PyTorchTrainingJob'
  const spec = { replicaSpecs, runPolicy }
  return { apiVersion: 'batch.tensorstack.dev/v1beta1', kind, metadata: { name: 'digits' }, spec } as TrainingJob
}

function draw(
  job: TrainingJob,
  script: Script,
  options: { width?: number; colour?: boolean; unicode?: boolean } = {},
): string {
  const all = { width: 100, colour: false, unicode: true, took: 9, ...options }
  return renderRehearsal(rehearse(job, script), all)
}

const badDay: Script = {
  defaults: { exitAfter: '60s' },
  events: [
    { at: '20s', replica: 'worker-1', exit: 137 },
    { at: '30s', pause: true },
    { at: '40s', pause: false },
  ],
}

test('a bad day', () => {
  expect(draw(digits(), badDay)).toBe(`\
digits: Succeeded after 1:42 of virtual time, 1 of 3 restarts used        (took 9 ms)

  master-0  ·██████████████‖‖‖‖‖·██████████████████████████████ ✓
  worker-0  ·██████████████‖‖‖‖‖·██████████████████████████████ ✓
  worker-1  ·█████████✗████‖‖‖‖‖·██████████████████████████████ ✓
  worker-2  ·██████████████‖‖‖‖‖·██████████████████████████████ ✓
            0:00      0:20      0:40      1:00      1:20      1:40
            · waiting   █ running   ✗ failed   ‖ paused   ✓ succeeded

  0:00  job       Created     4 pods and 1 service
  0:02  job       Running     4 of 4 replicas run
  0:20  worker-1  Failed      exit 137 (SIGKILL)
  0:20  worker-1  Restarted   restartPolicy OnFailure, restart 1 of 3
  0:30  job       Paused      spec.runMode.pause; 4 pods stopped, counters kept
  0:40  job       Resuming    4 pods
  0:42  job       Running     4 of 4 replicas run
  1:42  job       Succeeded   master-0 finished, and master-0 decides
`)
})

test('where only ASCII is known', () => {
  const text = draw(digits(), badDay, { unicode: false })
  expect(text).toContain('  worker-1  .=========x====|||||.============================== o\n')
  expect(text).toContain('. waiting   = running   x failed   | paused   o succeeded')
  expect(text).toMatch(/^[\x20-\x7e\n]*$/)
})

test('in colour, the text is the same', () => {
  const text = draw(digits(), badDay, { colour: true })
  expect(text).toContain('\x1b[1mdigits\x1b[0m: \x1b[32mSucceeded\x1b[0m')
  expect(text).toContain('\x1b[33m·\x1b[0m\x1b[36m██████████████\x1b[0m\x1b[2m‖‖‖‖‖\x1b[0m')
  expect(text).toContain('\x1b[31m✗\x1b[0m')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
  expect(text.replace(/\x1b\[\d+m/g, '')).toBe(draw(digits(), badDay))
})

test('no line is wider than the terminal', () => {
  const weeks = draw(digits(), { defaults: { exitAfter: 'never' }, until: '336h' })
    .split('\n')
    .slice(2)
  expect(Math.max(...weeks.map((line) => line.length))).toBeLessThanOrEqual(100)
  for (const width of [100, 80, 60, 40]) {
    const lines = draw(digits(), badDay, { width }).split('\n').slice(2)
    const legend = lines.findIndex((line) => line.includes('waiting'))
    expect(Math.max(...lines.toSpliced(legend, 1).map((line) => line.length))).toBeLessThanOrEqual(width)
  }
  expect(draw(digits(), badDay, { width: 60 })).toContain(
    '  0:30  job       Paused      spec.runMode.pause; 4 pods st…\n',
  )
})

test.each([
  { exitAfter: '10s', width: 100, axis: '0:00      0:10' },
  { exitAfter: '400s', width: 100, axis: '0:00      0:50      1:40' },
  { exitAfter: '20m', width: 100, axis: '0:00      2:30      5:00' },
  { exitAfter: '23h', width: 100, axis: '0:00      5:00:00   10:00:00' },
])('a column is a round number of seconds: $exitAfter', ({ exitAfter, width, axis }) => {
  expect(draw(digits(), { defaults: { exitAfter } }, { width })).toContain(`            ${axis}`)
})

test('a replica that failed for good is marked where it ended, and the others are not', () => {
  const text = draw(digits(3, { backoffLimit: 0 }), { replicas: { 'master-0': { exitAfter: '10s', exitCode: 1 } } })
  expect(text).toContain('digits: Failed after 0:12 of virtual time, 0 of 0 restarts used')
  expect(text).toContain('  master-0  ··██████████ ✗\n  worker-0  ··██████████\n')
})

test('a replica that is done before the job ends where it ended', () => {
  const text = draw(digits(1), { defaults: { exitAfter: '20s' }, replicas: { 'worker-0': { exitAfter: '5s' } } })
  expect(text).toContain('  master-0  ··████████████████████ ✓\n  worker-0  ··█████ ✓\n')
  expect(text).not.toContain('worker-0  Succeeded')
})

test('of many replicas those with something to tell', () => {
  const script: Script = {
    defaults: { exitAfter: '10s' },
    replicas: { 'worker-40': { startAfter: '3s' } },
    events: [{ at: '5s', replica: 'worker-7', exit: 1 }],
  }
  const text = draw(digits(47), script)
  expect(text).toContain(`
  master-0   ··██████████ ✓
  worker-7   ··███✗·█████
  worker-40  ····████████
  … 45 alike
`)
})

test('of many that are all different, the first twenty', () => {
  const workers = Array.from({ length: 30 }, (_, i) => [`worker-${i}`, { exitAfter: `${i + 5}s` }])
  const text = draw(digits(30), { defaults: { exitAfter: '60s' }, replicas: Object.fromEntries(workers) })
  expect(text).toContain('  … 11 more\n')
})

test('a job that is still running, and one that was deleted', () => {
  const never = { defaults: { exitAfter: 'never' }, until: '1h' }
  expect(draw(digits(), never)).toMatch(/^digits: Running after 1:00:00 of virtual time, 0 of 3 restarts used/)
  const text = draw(digits(3, { ttlSecondsAfterFinished: 60 }), {})
  expect(text).toMatch(/^digits: Deleted after 2:02 of virtual time/)
  expect(text).toContain('  2:02  job  Deleted     ttlSecondsAfterFinished has passed\n')
})

test('where the budget is not one number, restarts are counted', () => {
  const replicaSpecs = [{ type: 'worker', restartPolicy: { policy: 'OnFailure', limit: 2 }, template }]
  const spec = { successRules: [{ worker: [0] }], failureRules: [], replicaSpecs }
  const job = { ...digits(), kind: 'GenericJob', spec } as TrainingJob
  expect(draw(job, {})).toContain('virtual time, no restarts ')
  expect(draw(job, { events: [{ at: '5s', replica: 'worker-0', exit: 1 }] })).toContain('virtual time, 1 restart ')
})
