// What a user of kubectl meets: explain, the columns, scaling, both ways of applying.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { kindOf, kinds } from '../../../src/api/kinds.ts'
import { realCluster } from '../../real-cluster.ts'
import { generic, podgroup, pytorch, queue, tensorboard, tensorflow, tfjob } from '../../verdicts/rows/bases.ts'
import { change, type KubeObject } from '../../verdicts/rows/row.ts'
import { fullStatus, fullTFJobStatus } from './full-status.ts'
import { createNamespace, installCrds } from './install.ts'
import { collection, mustRequest } from './request.ts'

const NAMESPACE = 'kubectl'
const folder = mkdtempSync(join(tmpdir(), 'trainyard-kubectl-'))
const { kubectl: program, kubeconfig } = realCluster()
const run = promisify(execFile)

beforeAll(async () => {
  await installCrds()
  await createNamespace(NAMESPACE)
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Said {
  code: number
  out: string
  err: string
}

async function kubectl(...args: string[]): Promise<Said> {
  const env = { ...process.env, HOME: folder, KUBECONFIG: kubeconfig }
  try {
    const { stdout, stderr } = await run(program, ['-n', NAMESPACE, ...args], { env, maxBuffer: 1 << 26 })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const failed = error as { code?: number; stdout?: string; stderr?: string }
    return { code: failed.code ?? 1, out: failed.stdout ?? '', err: failed.stderr ?? '' }
  }
}

function file(name: string, object: object): string {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(path, stringify(object))
  return path
}

async function writeStatus(object: KubeObject, name: string, status: object): Promise<KubeObject> {
  const place = `${collection(kindOf(object.apiVersion, object.kind)!, String(object.apiVersion), NAMESPACE)}/${name}`
  const { body } = await mustRequest('GET', place)
  return (await mustRequest('PUT', `${place}/status?fieldValidation=Strict`, { ...body, status })).body
}

test.each([
  { kind: 'pytorchtrainingjobs.spec.elastic', says: 'Let the number of replicas change while the job runs' },
  { kind: 'tensorflowtrainingjobs.spec.replicaSpecs.restartPolicy', says: 'When a replica is started again' },
  { kind: 'genericjobs.spec.successRules', says: 'The job succeeds when' },
  { kind: 'tfjobs.spec.tfReplicaSpecs', says: 'in any casing' },
  { kind: 'podgroups.spec.minMember', says: 'How many pods must be placed at once' },
  { kind: 'queues.spec.closed', says: 'A closed queue takes no new jobs' },
  { kind: 'tensorboards.spec.trainingLogFilesets', says: 'Where the logs lie' },
])('kubectl explain $kind', { timeout: 90_000 }, async ({ kind, says }) => {
  const explained = async (): Promise<Omit<Said, 'err'>> => {
    const { code, out } = await kubectl('explain', kind)
    return { code, out: out.replaceAll(/\s+/g, ' ') }
  }
  // A kind is described some moments after it is served.
  await expect.poll(explained, { timeout: 60_000 }).toEqual({ code: 0, out: expect.stringContaining(says) })
})

test('kubectl explain goes down into the pod template', async () => {
  expect((await kubectl('explain', 'pj.spec.replicaSpecs.template.spec.containers.resources.limits')).out).toContain(
    'FIELD: limits',
  )
})

test('kubectl get shows how jobs stand, by short name', async () => {
  for (const [short, base] of [
    ['ptj', pytorch],
    ['tj', tensorflow],
    ['gj', generic],
  ] as const) {
    const object = change(base, { 'metadata.name': 'seen' })
    expect((await kubectl('apply', '-f', file(`seen-${short}`, object))).code).toBe(0)
    await writeStatus(object, 'seen', fullStatus)
    const [header, line] = (await kubectl('get', short, 'seen')).out.split('\n')
    expect(header?.trim().split(/\s{2,}|\s(?=[A-Z])/)).toEqual([
      'NAME',
      'PHASE',
      'RUNNING',
      'RESTARTS',
      'STARTED',
      'FINISHED',
      'AGE',
    ])
    expect(line).toMatch(/^seen\s+Running\s+3\s+1\s+\S+\s+\S+\s+\S+/)
  }
})

test('kubectl get tfjobs shows the last condition', async () => {
  const object = change(tfjob, { 'metadata.name': 'seen' })
  expect((await kubectl('apply', '-f', file('seen-tfjob', object))).code).toBe(0)
  await writeStatus(object, 'seen', fullTFJobStatus)
  const [header, line] = (await kubectl('get', 'tfjobs', 'seen')).out.split('\n')
  expect(header).toMatch(/^NAME\s+STATE\s+RUNNING\s+RESTARTS\s+STARTED\s+FINISHED\s+AGE/)
  expect(line).toMatch(/^seen\s+Running\s+3\s+1\s/)
})

test('every field of a status is kept', async () => {
  const object = change(pytorch, { 'metadata.name': 'journal' })
  await kubectl('apply', '-f', file('journal', object))
  expect((await writeStatus(object, 'journal', fullStatus)).status).toEqual(fullStatus)
  const tf = change(tfjob, { 'metadata.name': 'journal' })
  await kubectl('apply', '-f', file('journal-tf', tf))
  expect((await writeStatus(tf, 'journal', fullTFJobStatus)).status).toEqual(fullTFJobStatus)
})

test('kubectl scale obeys the bounds', async () => {
  const elastic = { enable: true, minReplicas: 2, maxReplicas: 6, expectedReplicas: 4 }
  const object = change(pytorch, {
    'metadata.name': 'elastic',
    'spec.elastic': elastic,
    'spec.torchrunConfig': { enable: true },
  })
  expect((await kubectl('apply', '-f', file('elastic', object))).code).toBe(0)
  expect(await kubectl('scale', 'pj/elastic', '--replicas=6')).toMatchObject({ code: 0 })
  expect((await kubectl('get', 'pj/elastic', '-o', 'jsonpath={.spec.elastic.expectedReplicas}')).out).toBe('6')
  const beyond = await kubectl('scale', 'pj/elastic', '--replicas=7')
  expect(beyond.code).toBe(1)
  expect(beyond.err).toContain('is more than maxReplicas')
  expect((await kubectl('scale', 'pj/elastic', '--replicas=1')).err).toContain('is less than minReplicas')
  expect((await kubectl('get', 'pj/elastic', '-o', 'jsonpath={.spec.elastic.expectedReplicas}')).out).toBe('6')
})

test.each([pytorch, tensorflow, generic, tfjob, podgroup, queue, tensorboard])(
  '$kind applied twice changes nothing',
  async (base) => {
    const resource = kindOf(base.apiVersion, base.kind)!
    const version = async (name: string): Promise<unknown> => {
      const { body } = await mustRequest('GET', `${collection(resource, String(base.apiVersion), NAMESPACE)}/${name}`)
      return [body.metadata.generation, body.metadata.resourceVersion]
    }
    for (const [how, ...flags] of [['client'], ['server', '--server-side']] as const) {
      const name = `twice-${how}`
      const path = file(`${name}-${resource.singular}`, change(base, { 'metadata.name': name }))
      expect(await kubectl('apply', '--validate=strict', ...flags, '-f', path)).toMatchObject({ code: 0, err: '' })
      const before = await version(name)
      const again = await kubectl('apply', '--validate=strict', ...flags, '-f', path)
      expect(again).toMatchObject({ code: 0, err: '' })
      expect(await kubectl('diff', ...flags, '-f', path)).toMatchObject({ code: 0, out: '' })
      expect(await version(name)).toEqual(before)
    }
  },
)

test('the CRDs fit into the annotation of a client-side apply', async () => {
  const answer = await kubectl('apply', '--dry-run=server', '-f', 'deploy/crds')
  expect(answer.code).toBe(0)
  expect(answer.out.trim().split('\n')).toHaveLength(kinds.length)
})

test('a field nobody knows is refused by kubectl and named', async () => {
  const path = file('typo', change(pytorch, { 'metadata.name': 'typo', 'spec.runPolicy.backofLimit': 1 }))
  const answer = await kubectl('apply', '-f', path)
  expect(answer.code).toBe(1)
  expect(answer.err).toContain('unknown field "spec.runPolicy.backofLimit"')
})

test('a TFJob keeps the edition it was created under', async () => {
  const beta = change(tfjob, { apiVersion: 'kubeflow.org/v1beta2', 'metadata.name': 'old' })
  await kubectl('apply', '-f', file('old', beta))
  await kubectl('apply', '-f', file('new', change(tfjob, { 'metadata.name': 'new' })))
  const edition = async (name: string): Promise<string> =>
    (await kubectl('get', `tfjobs/${name}`, '-o', 'jsonpath={.spec.edition}')).out
  expect([await edition('old'), await edition('new')]).toEqual(['v1beta2', 'v1'])
  expect(
    (
      await kubectl(
        'apply',
        '-f',
        file('old-as-v1', change(beta, { apiVersion: 'kubeflow.org/v1', 'spec.backoffLimit': 3 })),
      )
    ).code,
  ).toBe(0)
  expect(await edition('old')).toBe('v1beta2')
})
