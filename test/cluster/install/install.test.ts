// A cluster from nothing to jobs that run, and back: doctor, install, the operator with exactly the rights it was given.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildImageFolder } from '../../../scripts/build-image.ts'
import { DEPLOYMENTS } from '../../../src/cli/cluster/others.ts'
import { findResource } from '../../../src/cli/run/find-resource.ts'
import { CRDS, isNotFound, NAMESPACES } from '../../../src/kube/index.ts'
import { JOBS } from '../../../src/operator/resources.ts'
import { trainingJobs } from '../../conformance/manifests.ts'
import { eventually, Stage } from '../../conformance/stage.ts'
import { trainyardIn } from '../../job-commands/trainyard.ts'
import { OperatorProcess } from '../../operator/operator-process.ts'
import { statusDriver } from '../../operator/status-driver.ts'
import { furnish, type Lab, startLab } from './lab.ts'

const MINUTES = 60_000
vi.setConfig({ testTimeout: 10 * MINUTES })
const DIGITS = join(import.meta.dirname, '../../../examples/digits/job.yaml')
const home = mkdtempSync(join(tmpdir(), 'trainyard-install-'))
const trainyard = trainyardIn(home)
let lab: Lab
let on: string[]
let operator: OperatorProcess | undefined

beforeAll(async () => {
  lab = await startLab()
  on = ['--kubeconfig', lab.kubeconfig, '--context', 'lab']
  await furnish(lab)
}, 20 * MINUTES)
afterAll(async () => {
  await operator?.end('SIGKILL')
  await lab?.stop()
  rmSync(home, { recursive: true, force: true })
})

const isGone = (resource: Parameters<Lab['client']['get']>[0], name: string, namespace?: string): Promise<boolean> =>
  lab.client.get(resource, { name, ...(namespace && { namespace }) }).then(() => false, isNotFound)

test('a cluster that has never heard of us', async () => {
  const { stdout, code } = await trainyard('doctor', ...on, '-f', DIGITS)
  expect(stdout.replace(/v1\.\d+\.\d+/, 'v1.36.2')).toBe(`\
✓ cluster      lab: v1.36.2, 6 nodes, you may create PyTorchTrainingJobs in default
✗ trainyard    not installed: the kind PyTorchTrainingJob is unknown there
               fix: trainyard install --context lab      (shows everything first, asks, needs admin)
✓ names        cluster DNS answers, domain cluster.local
✓ image        node:24-alpine is named; it is used there, not your machine's node
✓ volumes      ConfigMap digits-code is in the file
1 problem
`)
  expect(code).toBe(1)
})

test('nothing is changed without being asked, or in a dry run', async () => {
  const asked = await trainyard('install', ...on)
  expect(asked.stderr).toBe(`\
will create in lab: namespace trainyard, 7 CRDs, 1 ClusterRole (no secrets), 1 Deployment (2 pods)
trainyard: nothing was changed, because nobody can be asked here
  go on  trainyard install --context lab --kubeconfig ${lab.kubeconfig} --yes
`)
  expect(asked.code).toBe(1)
  const said = ['-n', 'ops', '--watch-namespace', 'ml', '--image', 'r/t:1', '--replicas', '1', '--take-over']
  const wide = await trainyard('install', ...on, ...said)
  expect(wide.stderr).toContain(`--kubeconfig ${lab.kubeconfig} ${said.join(' ')} --yes\n`)
  const tried = await trainyard('install', ...on, '--dry-run')
  expect(tried.stderr).toContain('would create in lab: namespace trainyard, 7 CRDs')
  expect(tried.stdout).toContain(
    'customresourcedefinition.apiextensions.k8s.io/tfjobs.kubeflow.org created (dry run)\n',
  )
  expect(tried.stdout).toContain('deployment.apps/trainyard-operator in trainyard not tried')
  expect(tried.code).toBe(0)
  const whole = await trainyard('install', ...on, '--dry-run', '-o', 'json')
  expect(JSON.parse(whole.stdout).items).toHaveLength(8 + 8)
  expect(await isGone(NAMESPACES, 'trainyard')).toBe(true)
  expect((await lab.client.list(CRDS)).items).toEqual([])
})

test('installed, the operator has the rights it needs to bring a job of every kind to its end', async () => {
  const installing = trainyard('install', ...on, '--yes', '--timeout', '10m')
  const deployment = { namespace: 'trainyard', name: 'trainyard-operator' }
  // Large definitions take a server that is busy a while.
  const arePodsReady = async (): Promise<void> => {
    await lab.startPods()
    expect((await lab.client.get(DEPLOYMENTS, deployment)).status?.readyReplicas).toBe(2)
  }
  await vi.waitFor(arePodsReady, { timeout: 5 * MINUTES, interval: 200 })
  const kubeconfig = await lab.operatorsKubeconfig('trainyard')
  const flags = ['--lease-namespace', 'trainyard', '--metrics-address', 'off']
  // What the image would run.
  await buildImageFolder(join(home, 'app'))
  operator = new OperatorProcess(['--kubeconfig', kubeconfig, ...flags], [join(home, 'app/dist/main/cli.js')])
  const { stderr, code } = await installing
  expect(stderr).toMatch(/^✓ operator {5}2 of 2 ready after \d+ s, leader elected$/m)
  expect(code).toBe(0)

  const stage = await Stage.open({ kubeconfig: lab.kubeconfig, driver: statusDriver(lab.client) })
  const jobs = trainingJobs(stage)
  const played = [
    { job: await jobs.tensorflow({ worker: 1 }, { runPolicy: { cleanUpPolicy: 'All' } }), decides: 'worker-0' },
    { job: await jobs.pytorch({ master: 1, worker: 1 }), decides: 'master-0' },
    { job: await jobs.generic({ worker: 1 }, { service: { ports: [{ name: 'p', port: 80 }] } }), decides: 'worker-0' },
    { job: await jobs.tfjob({ Worker: 1 }), decides: 'worker-0' },
  ]
  for (const { job, decides } of played) {
    await job.run(decides, 0)
    await job.reaches('Succeeded')
    await eventually('an event tells', async () => expect((await job.events()).join()).toContain('Succeeded'))
  }
  await stage.close()
  const isEmptied = async () => expect(await isGone(NAMESPACES, stage.namespace)).toBe(true)
  await vi.waitFor(isEmptied, { timeout: 5 * MINUTES, interval: 200 })
  const complaints = operator.lines.filter(({ level }) => level === 'warn' || level === 'error')
  expect(complaints.filter(({ error }) => !String(error).endsWith('is not served yet'))).toEqual([])
})

test('doctor finds it, and installing again updates it', async () => {
  const { stdout, code } = await trainyard('doctor', ...on, '-f', DIGITS)
  expect(stdout).toMatch(/^✓ trainyard {4}installed, 2 of 2 operators ready, leader elected$/m)
  expect(stdout).toMatch(/^✓ versions {5}the kinds are those of \d+\.\d+\.\d+, and so is the operator$/m)
  expect(stdout).toMatch(/^no problems$/m)
  expect(code).toBe(0)
  const again = await trainyard('install', ...on, '--dry-run')
  expect(again.stderr).toContain('would update in lab: namespace trainyard, 7 CRDs')
  expect(again.stdout).toContain('deployment.apps/trainyard-operator in trainyard unchanged (dry run)')
})

test('an update whose pods do not start has failed, though those of before go on', async () => {
  const { stderr, code } = await trainyard('install', ...on, '--yes', '--image', 'r/missing:2', '--timeout', '3s')
  expect(stderr).toMatch(/^✗ operator {5}0 of 2 ready after \d+ s/m)
  expect(code).toBe(1)
  expect((await trainyard('doctor', ...on)).stdout).toContain('installed, 2 of 2 operators ready')
})

test('who may not look at the lease is not told that nobody leads', async () => {
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const rules = [
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get'] },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list'] },
  ]
  const metadata = { name: 'onlooker' }
  await lab.create({ apiVersion, kind: 'ClusterRole', metadata, rules })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'onlooker' }
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'onlookers' }]
  await lab.create({ apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects })
  const config = JSON.parse(readFileSync(lab.kubeconfig, 'utf8')) as { users: Array<{ user: object }> }
  Object.assign(config.users[0]!.user, { as: 'ana', 'as-groups': ['onlookers'] })
  const kubeconfig = join(home, 'onlooker')
  writeFileSync(kubeconfig, JSON.stringify(config))
  const { stdout } = await trainyard('doctor', '--kubeconfig', kubeconfig)
  expect(stdout).toMatch(/^✓ trainyard {4}installed, 2 of 2 operators ready$/m)
})

test('uninstalled, the jobs stay, and with them the namespace they are in', async () => {
  expect(await operator!.end()).toBe(0)
  const asked = await trainyard('uninstall', ...on, '-n', 'trainyard', '--purge')
  const command = `trainyard uninstall --context lab --kubeconfig ${lab.kubeconfig} -n trainyard --purge --yes`
  expect(asked.stderr).toContain(`  go on  ${command}\n`)
  const replica = { type: 'worker', template: { spec: { containers: [{ name: 'c', image: 'i' }] } } }
  const spec = { successRules: [{ worker: [0] }], failureRules: [], replicaSpecs: [replica] }
  const metadata = { namespace: 'trainyard', name: 'kept' }
  await lab.create({ apiVersion: 'batch.tensorstack.dev/v1beta1', kind: 'GenericJob', metadata, spec })
  const first = await trainyard('uninstall', ...on, '--yes')
  expect(first.stderr).toContain('7 CRDs and 1 job stay (--purge deletes them too)')
  expect(first.stderr).toContain('namespace trainyard stays, because there are jobs in it\n')
  expect(first.stderr).toContain('trainyard is gone from lab')
  expect(first.code).toBe(0)
  expect(await isGone(DEPLOYMENTS, 'trainyard-operator', 'trainyard')).toBe(true)
  expect((await lab.client.get(NAMESPACES, { name: 'trainyard' })).metadata.deletionTimestamp).toBeUndefined()
  await lab.client.delete(JOBS.GenericJob, metadata)
  expect((await trainyard('uninstall', ...on, '--yes')).code).toBe(0)
  expect(await isGone(NAMESPACES, 'trainyard')).toBe(true)
  expect((await lab.client.list(CRDS)).items).toHaveLength(7)
  const twice = await trainyard('uninstall', ...on, '--yes')
  expect(twice.stderr).toBe('trainyard: trainyard is not installed in namespace trainyard of lab\n')
  expect(twice.code).toBe(1)
})

test('a namespace that was there before is shared, not taken', async () => {
  const metadata = { name: 'platform', labels: { team: 'infra' } }
  await lab.create({ apiVersion: 'v1', kind: 'Namespace', metadata })
  const here = [...on, '-n', 'platform', '--watch-namespace', 'platform']
  const whole = await trainyard('install', ...here, '--dry-run', '-o', 'json')
  expect(JSON.parse(whole.stdout).items.map(({ kind }: { kind: string }) => kind)).not.toContain('Namespace')
  const { stderr } = await trainyard('install', ...here, '--yes', '--timeout', '1s')
  expect(stderr).toContain('will create in lab: 7 CRDs, 1 ClusterRole')
  expect(stderr).toContain('shares namespace platform, which is left as it is')
  const { labels } = (await lab.client.get(NAMESPACES, { name: 'platform' })).metadata
  expect(labels).toEqual({ team: 'infra', 'kubernetes.io/metadata.name': 'platform' })
})

test('an operator for one namespace is found there, and is none for the others', async () => {
  const inside = await trainyard('doctor', ...on, '-n', 'platform')
  expect(inside.stdout).toContain('installed, 0 of 2 operators ready: jobs will not start')
  const beside = await trainyard('doctor', ...on)
  expect(beside.stdout).toContain('installed for namespace platform only: jobs in default will not start\n')
  expect(beside.code).toBe(1)
  const second = await trainyard('install', ...on, '--watch-namespace', 'default', '--yes')
  expect(second.stderr).toContain(
    'trainyard-operator runs in namespace platform already, for namespace platform only\n  update it  trainyard',
  )
  expect(second.code).toBe(1)
})

test('an operator that is to look after other jobs says so, and gives back its rights on those of before', async () => {
  const wider = await trainyard('install', ...on, '-n', 'platform', '--dry-run')
  expect(wider.stderr).toContain('looks after all namespaces from now on; until now namespace platform only\n')
  const there = await findResource(lab.client, 'rbac.authorization.k8s.io/v1', 'RoleBinding')
  expect(await isGone(there!, 'trainyard-operator', 'platform')).toBe(false)
  const flags = ['-n', 'platform', '--watch-namespace', 'default', '--yes', '--timeout', '1s']
  const { stderr } = await trainyard('install', ...on, ...flags)
  expect(stderr).toContain('looks after namespace default only from now on; until now namespace platform only\n')
  expect(await isGone(there!, 'trainyard-operator', 'platform')).toBe(true)
  expect(await isGone(there!, 'trainyard-operator', 'default')).toBe(false)
})

test('purged, nothing stays but what was there before', async () => {
  const { stderr, code } = await trainyard('uninstall', ...on, '-n', 'platform', '--yes', '--purge')
  expect(stderr).not.toContain('Namespace platform')
  expect(code).toBe(0)
  expect(await isGone(DEPLOYMENTS, 'trainyard-operator', 'platform')).toBe(true)
  expect((await lab.client.get(NAMESPACES, { name: 'platform' })).metadata.deletionTimestamp).toBeUndefined()
  expect((await lab.client.list(CRDS)).items).toEqual([])
})

test("somebody else's kinds and operators are found, and taken over only when told to", async () => {
  const names = { plural: 'tfjobs', kind: 'TFJob', singular: 'tfjob', listKind: 'TFJobList' }
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }
  const spec = { group: 'kubeflow.org', scope: 'Namespaced', names, versions: [version] }
  const apiVersion = 'apiextensions.k8s.io/v1'
  const metadata = { name: 'tfjobs.kubeflow.org' }
  await lab.create({ apiVersion, kind: 'CustomResourceDefinition', metadata, spec })
  await lab.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kubeflow' } })
  const labels = { app: 'training-operator' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'kubeflow/training-operator' }] } }
  await lab.create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'kubeflow', name: 'training-operator' },
    spec: { selector: { matchLabels: labels }, template },
  })
  const beside = await trainyard('install', ...on, '--yes', '--timeout', '1s')
  expect(beside.stderr).toContain('will create in lab: namespace trainyard, 6 CRDs')
  expect(beside.stderr).toContain(
    "leaves tfjobs.kubeflow.org alone: Kubeflow's training-operator runs in namespace kubeflow (take it over: --take-over)",
  )
  // Nobody starts its pods here.
  expect(beside.stderr).toMatch(/^✗ operator {5}0 of 2 ready after \d+ s/m)
  expect(beside.code).toBe(1)
  const definition = () => lab.client.get(CRDS, { name: 'tfjobs.kubeflow.org' })
  expect((await definition()).metadata.labels).toBeUndefined()
  const doctor = await trainyard('doctor', ...on)
  expect(doctor.stdout).toContain("TFJob there is looked after by Kubeflow's training-operator")

  const taking = await trainyard('install', ...on, '--yes', '--take-over', '--timeout', '1s')
  expect(taking.stderr).toContain('takes over tfjobs.kubeflow.org, which somebody else has defined')
  expect(taking.stderr).toContain("stops Kubeflow's training-operator in namespace kubeflow")
  expect((await definition()).metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'trainyard' })
  const stopped = await lab.client.get(DEPLOYMENTS, { namespace: 'kubeflow', name: 'training-operator' })
  expect(stopped.spec?.replicas).toBe(0)
})

test('where there is no cluster it is said', async () => {
  const { stderr, code } = await trainyard('install')
  expect(stderr).toBe(`\
trainyard: install needs a cluster; the home of this machine brings its operator along
  try  trainyard install --context NAME
`)
  expect(code).toBe(2)
})
