// One operator, and between it and the apiserver everything that can go wrong.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { KubeClient, loadConnection, pause } from '../../src/kube/index.ts'
import { closingLine } from '../closing-line.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import { OperatorProcess } from '../operator/operator-process.ts'
import { realCluster } from '../real-cluster.ts'
import { podsGranted, readAuditLog } from './audit-log.ts'
import { ChaosProxy } from './chaos-proxy.ts'
import { FAULTS } from './fault-plan.ts'
import { Fleet } from './fleet.ts'
import { repeated } from './made-pods.ts'

const USER = 'chaos'
const BAD_MS = 6_000
const GOOD_MS = 4_000
const ROUNDS = 4
const JOBS_A_ROUND = 15
const REQUESTS_A_ROUND = 100
const PATIENCE = 240_000

/** What a busy machine may need for the set-up. */
const HOOK = 300_000

let client: KubeClient
let proxy: ChaosProxy
let fleet: Fleet
let operator: OperatorProcess | undefined

beforeAll(async () => {
  const { kubeconfig, users } = realCluster()
  client = new KubeClient(await loadConnection({ kubeconfig }))
  await installCrds(client)
  fleet = new Fleet(client)
  await fleet.open()
  proxy = await ChaosProxy.open(await loadConnection({ kubeconfig: users[USER]! }))
}, HOOK)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.log(operator?.lines.slice(-30))
  await operator?.end()
}, HOOK)
afterAll(async () => {
  await fleet.close()
  await proxy.close()
  await client.close()
}, HOOK)

/** Bad and good times in turn, a little more bad than good. */
async function changeWeather(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    proxy.turn(true)
    await pause(BAD_MS, signal)
    if (signal.aborted) break
    proxy.turn(false)
    await pause(GOOD_MS, signal)
  }
  proxy.turn(false)
}

test(
  'jobs end as they should through latency, resets, refusals, cut watches and stale reads',
  async () => {
    const place = ['--kubeconfig', proxy.kubeconfig, '--namespace', fleet.namespace, '--metrics-address', 'off']
    operator = new OperatorProcess([...place, '--lease-namespace', fleet.namespace])
    await operator.says('at work')
    const { plan } = proxy
    const stopped = new AbortController()
    const weather = changeWeather(stopped.signal)
    for (let round = 1; round <= ROUNDS; round++) {
      await fleet.send(JOBS_A_ROUND)
      fleet.release()
      // The next ones come when these are being worked on, through bad times.
      await expect.poll(() => plan.requests, { timeout: PATIENCE }).toBeGreaterThan(round * REQUESTS_A_ROUND)
    }
    await fleet.untilAllOver(PATIENCE)
    // Only watches can be cut, and a fast machine has few of them beside its other requests.
    const rarest = () => Math.min(...FAULTS.map((fault) => plan.share(fault)))
    await expect.poll(rarest, { timeout: PATIENCE, message: 'the share of the rarest fault' }).toBeGreaterThan(0.055)
    stopped.abort()
    await weather
    const granted = podsGranted(readAuditLog(realCluster().auditLog, USER), fleet.namespace)
    expect(repeated(granted)).toEqual([])
    const made = fleet.expectEachAttemptOnce()
    const shares = FAULTS.map((fault) => `${fault} ${plan.countOf(fault)} (${(plan.share(fault) * 100).toFixed(1)} %)`)
    closingLine(
      `chaos: ${fleet.size} jobs ended as they should, ${made.length} pods, 0 made twice; ${plan.requests} requests in bad times ` +
        `(${(plan.badPart * 100).toFixed(0)} % of the run): ${shares.join(', ')}`,
    )
    expect(plan.badPart).toBeGreaterThanOrEqual(0.5)
    for (const fault of FAULTS) expect({ fault, enough: plan.share(fault) >= 0.05 }).toEqual({ fault, enough: true })
  },
  PATIENCE * 2,
)
