// The operator with the rights that its installation grants: it uses all of them and no others.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mustRun } from '../../scripts/run-program.ts'
import { KubeClient, loadConnection } from '../../src/kube/index.ts'
import { closingLine } from '../closing-line.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import { OperatorProcess } from '../operator/operator-process.ts'
import { realCluster } from '../real-cluster.ts'
import { readAuditLog } from './audit-log.ts'
import { EveryRight } from './every-right.ts'
import { grantedIn, isSilent, readRights, usedIn } from './granted.ts'

const ACCOUNT = 'system:serviceaccount:trainyard:trainyard-operator'
const PATIENCE = { timeout: 240_000, interval: 500 }

/** What a busy machine may need for the set-up. */
const HOOK = 300_000

let client: KubeClient
let kubeconfig: string
const operators: OperatorProcess[] = []

beforeAll(async () => {
  const cluster = realCluster()
  client = new KubeClient(await loadConnection({ kubeconfig: cluster.kubeconfig }))
  await installCrds(client)
  await kubectl(['apply', '-f', '-'], { kind: 'List', apiVersion: 'v1', items: readRights() })
  const token = await kubectl(['create', 'token', 'trainyard-operator', '-n', 'trainyard', '--duration', '2h'])
  kubeconfig = join(dirname(cluster.kubeconfig), 'trainyard-operator')
  const ca = Buffer.from(cluster.ca).toString('base64')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'real', cluster: { server: cluster.url, 'certificate-authority-data': ca } }],
    users: [{ name: 'operator', user: { token: token.trim() } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'operator' } }],
    'current-context': 'real',
  }
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 })
}, HOOK)
afterEach(async ({ task }) => {
  for (const operator of operators.splice(0)) {
    if (task.result?.state === 'fail') console.log(operator.lines.slice(-20))
    await operator.end()
  }
}, HOOK)
afterAll(() => client.close())

function kubectl(args: string[], input?: object): Promise<string> {
  const { kubectl: path, kubeconfig: admin } = realCluster()
  return mustRun(path, ['--kubeconfig', admin, ...args], { input: input && JSON.stringify(input) })
}

function begin(): OperatorProcess {
  const flags = [
    '--kubeconfig',
    kubeconfig,
    '--lease-namespace',
    'trainyard',
    '--metrics-address',
    'off',
    '--gang-scheduler',
    't9k',
  ]
  const operator = new OperatorProcess(flags)
  operators.push(operator)
  return operator
}

const requests = () => readAuditLog(realCluster().auditLog, ACCOUNT)

test('every right that is granted is used, and none is missing', { timeout: 900_000 }, async () => {
  const granted = grantedIn(readRights())
  await begin().says('at work')
  // Another one that stands by, for the Lease is watched by those who want it.
  await begin().says('standing by')
  const everyRight = new EveryRight(client)
  await everyRight.open()
  const unused = () => {
    const used = usedIn(requests())
    return granted.filter((right) => !isSilent(right) && !used.includes(right))
  }
  await everyRight.playUntil(() => unused().length === 0, PATIENCE.timeout)
  expect(unused()).toEqual([])
  const all = requests()
  expect(usedIn(all).filter((right) => !granted.includes(right))).toEqual([])
  const refused = all.filter(({ responseStatus }) => responseStatus?.code === 403)
  expect(usedIn(refused)).toEqual([])
  await everyRight.close()
  const silent = granted.filter(isSilent).length
  closingLine(
    `rights: ${granted.length - silent} pairs of verb and resource granted, ${granted.length - silent} used in ${all.length} requests, ` +
      `0 refused; ${silent} more are looked up without a request`,
  )
})

test('without the right to block a deletion nothing can be owned, and the job says so', {
  timeout: 300_000,
}, async () => {
  const less = readRights().map((object) => ({
    ...object,
    rules: object.rules?.filter(({ resources }) => !resources.some((resource) => isSilent(`/${resource}`))),
  }))
  await kubectl(['apply', '-f', '-'], { kind: 'List', apiVersion: 'v1', items: less })
  await begin().says('at work')
  const everyRight = new EveryRight(client)
  await everyRight.open()
  const message = () => everyRight.refusalOf('PyTorchTrainingJob')
  await everyRight.create('PyTorchTrainingJob')
  await expect.poll(message, PATIENCE).toMatch(/blockOwnerDeletion|finalizers/)
  await kubectl(['apply', '-f', '-'], { kind: 'List', apiVersion: 'v1', items: readRights() })
  await everyRight.close()
})
