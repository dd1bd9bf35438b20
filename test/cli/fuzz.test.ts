// Arbitrary documents, and good manifests with something odd in one place, through parse, validate, read, plan and a
// rehearsal. A worker has one second for each and is ended from outside when it takes longer.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const LIMIT = 1000
const STALLED = 30_000
const good = join(import.meta.dirname, 'golden', 'good')
const manifests: unknown[] = readdirSync(good).flatMap((file) =>
  [parseAllDocuments(readFileSync(join(good, file), 'utf8'))].flat().map((document) => document.toJS()),
)

/** A job that goes through all of it, so that everything is loaded. */
const WARM_UP = JSON.stringify(
  manifests.find((manifest) => (manifest as { kind?: string }).kind === 'PyTorchTrainingJob'),
)

class Subject {
  #worker: Worker | undefined

  async run(text: string): Promise<{ exits?: number[]; defect?: string }> {
    this.#worker ??= await startWorker()
    const worker = this.#worker
    const { promise, resolve } = Promise.withResolvers<{ exits?: number[]; defect?: string }>()
    const fail = (error: unknown) => resolve({ defect: String(error) })
    const watch = watchClock(worker, fail)
    worker.on('message', resolve).on('error', fail)
    worker.postMessage(text)
    const answer = await promise
    clearInterval(watch)
    worker.off('message', resolve).off('error', fail)
    if (answer.defect) await this.end()
    return answer
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = undefined
  }
}

/** A second is one of the worker's own: on a busy machine it may last longer. One that waits for ever uses none. */
function watchClock(worker: Worker, fail: (reason: string) => void): NodeJS.Timeout {
  const start = performance.now()
  const before = worker.cpuUsage()
  return setInterval(async () => {
    const { user, system } = await worker.cpuUsage(await before)
    if ((user + system) / 1000 > LIMIT) fail(`no answer after ${LIMIT} ms of work`)
    else if (performance.now() - start > STALLED) fail(`no answer after ${STALLED} ms`)
  }, 100)
}

/** Loading the program is not part of what an input may cost. */
async function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url))
  const ready = new Promise((resolve) => worker.once('message', resolve))
  worker.postMessage(WARM_UP)
  await ready
  return worker
}

const subject = new Subject()
afterAll(() => subject.end())

const reached = { valid: 0, planned: 0 }

async function survives(text: string): Promise<void> {
  const { exits, defect } = await subject.run(text)
  expect(defect).toBeUndefined()
  if (exits![0] === 0) reached.valid++
  if (exits![1] === 0) reached.planned++
}

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    '',
    -1,
    0,
    1e9,
    2 ** 53,
    1.5,
    true,
    [],
    {},
    [null],
    [[]],
    'x'.repeat(300),
    '$(params.x)',
    '$(service.a[0].host)',
  ),
  fc.constantFrom<unknown>('__proto__', 'constructor', 'toString', '{{', '\u0000', 'Ä', '0-4000', '*', ['*'], {
    '': '',
  }),
  fc.constantFrom(...manifests),
)

/** Every place in a document, as a path. */
function placesIn(value: unknown, path: Array<string | number> = []): Array<Array<string | number>> {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([key, member]) =>
      placesIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

function change(value: unknown, path: ReadonlyArray<string | number>, how: (before: unknown) => unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return how(value)
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  const holder = copy as Record<string | number, unknown>
  const member = change(holder[step], rest, how)
  if (member === undefined) delete holder[step]
  else holder[step] = member
  return copy
}

const mutation = fc.oneof(
  { weight: 3, arbitrary: odd.map((value) => () => value) },
  { weight: 1, arbitrary: fc.constant(() => undefined) },
  { weight: 1, arbitrary: fc.constant((before: unknown) => [before, before]) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.string({ maxLength: 12 }), odd).map(([key, value]) => (before: unknown) => ({
      ...(before as object),
      [key]: value,
    })),
  },
  { weight: 1, arbitrary: fc.integer({ min: -2, max: 5000 }).map((number) => () => number) },
)

const mutated = fc
  .tuple(fc.constantFrom(...manifests), fc.array(fc.tuple(fc.nat(), mutation), { minLength: 1, maxLength: 3 }))
  .map(([manifest, changes]) =>
    changes.reduce((value, [where, how]) => {
      const places = placesIn(value)
      return change(value, places[where % places.length]!, how)
    }, manifest as unknown),
  )

const runs = Number(process.env.TRAINYARD_RUNS ?? 300)
const seed = Number(process.env.TRAINYARD_SEED ?? Date.now() % 2 ** 31)
// Finding the smallest input that hangs costs a second for each that does: there is an end to that, too.
const interruptAfterTimeLimit = Math.max(90_000, runs * 200)
const parameters = { seed, numRuns: runs, interruptAfterTimeLimit, markInterruptAsFailure: true }

test(
  `good manifests with odd places (seed ${seed})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(mutated, (value) => survives(JSON.stringify(value) ?? '')),
      parameters,
    )
    // The generator must reach what lies behind validation, or it tests the first line only.
    expect(reached.planned).toBeGreaterThan(runs / 20)
  },
  interruptAfterTimeLimit * 2,
)

test(
  `arbitrary JSON that calls itself one of our kinds (seed ${seed})`,
  async () => {
    const kinds = fc.constantFrom(
      { apiVersion: 'batch.tensorstack.dev/v1beta1', kind: 'PyTorchTrainingJob' },
      { apiVersion: 'batch.tensorstack.dev/v1beta1', kind: 'TensorFlowTrainingJob' },
      { apiVersion: 'batch.tensorstack.dev/v1beta1', kind: 'GenericJob' },
      { apiVersion: 'kubeflow.org/v1', kind: 'TFJob' },
      { apiVersion: 'kubeflow.org/v1beta2', kind: 'TFJob' },
    )
    const object = fc
      .tuple(kinds, fc.jsonValue(), fc.jsonValue())
      .map(([kind, metadata, spec]) => ({ ...kind, metadata, spec }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(object, fc.jsonValue()), (value) => survives(JSON.stringify(value))),
      parameters,
    )
  },
  interruptAfterTimeLimit * 2,
)

test(
  `arbitrary text (seed ${seed})`,
  async () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '&x ',
      '*x',
      '<<: ',
      '!',
      '|',
      '>',
      '#',
      '---\n',
      '?',
      '\t',
      '%',
      '@',
      '0',
      'kind: TFJob\n',
      'spec:\n',
    )
    const text = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    )
    await fc.assert(fc.asyncProperty(text, survives), parameters)
  },
  interruptAfterTimeLimit * 2,
)
