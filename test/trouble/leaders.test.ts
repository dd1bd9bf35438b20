// Two operators, of which the one at work is killed again and again in the middle of its work.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { KubeClient, LEASES, loadConnection } from '../../src/kube/index.ts'
import { closingLine } from '../closing-line.ts'
import { eventually } from '../conformance/stage.ts'
import { installCrds } from '../operator/operator-at-work.ts'
import { OperatorProcess } from '../operator/operator-process.ts'
import { realCluster } from '../real-cluster.ts'
import { podsGranted, readAuditLog } from './audit-log.ts'
import { Fleet } from './fleet.ts'
import { repeated } from './made-pods.ts'

const KILLS = Number(process.env.TRAINYARD_KILLS ?? 5)
const IN_MID_FLIGHT = 20
const AT_ONCE = 25
const USER = 'leaders'
const PATIENCE = 120_000

/** What a busy machine may need for the set-up. */
const HOOK = 300_000

let client: KubeClient
let fleet: Fleet
const processes = new Map<string, OperatorProcess>()

beforeAll(async () => {
  client = new KubeClient(await loadConnection({ kubeconfig: realCluster().kubeconfig }))
  await installCrds(client)
  fleet = new Fleet(client)
  await fleet.open()
}, HOOK)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') for (const [name, { lines }] of processes) console.log(name, lines.slice(-30))
  await Promise.all([...processes.values()].map((process) => process.end()))
}, HOOK)
afterAll(async () => {
  await fleet.close()
  await client.close()
}, HOOK)

function begin(identity: string): void {
  const { users } = realCluster()
  const lease = ['--lease-duration', '2s', '--lease-namespace', fleet.namespace]
  const place = ['--kubeconfig', users[USER]!, '--namespace', fleet.namespace, '--metrics-address', 'off']
  processes.set(identity, new OperatorProcess([...place, ...lease, '--identity', identity]))
}

/** Whose Lease it is, if that one lives. */
async function findLeader(): Promise<string> {
  return eventually('one of them leads', async () => {
    const lease = await client.get(LEASES, { namespace: fleet.namespace, name: 'trainyard-operator' })
    const holder = lease.spec?.holderIdentity ?? ''
    expect([...processes.keys()]).toContain(holder)
    return holder
  })
}

test(
  `killed ${KILLS} times, operators lose no job and make no pod twice`,
  async () => {
    begin('operator-a')
    begin('operator-b')
    const midFlight: number[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      const leader = await findLeader()
      const made = fleet.podCount()
      await fleet.send(AT_ONCE)
      // Each time at another moment: after its first pods, in between, when all are there.
      const enough = made + ((kill * 17) % (AT_ONCE * 2))
      await expect
        .poll(() => fleet.podCount() >= enough && fleet.inMidFlight().length >= IN_MID_FLIGHT, {
          timeout: PATIENCE,
          interval: 5,
          message: `${IN_MID_FLIGHT} jobs are in mid-flight`,
        })
        .toBe(true)
      processes.get(leader)!.signal('SIGKILL')
      midFlight.push(fleet.inMidFlight().length)
      fleet.release()
      processes.delete(leader)
      begin(`operator-${kill}`)
    }
    await fleet.untilAllOver(PATIENCE)
    const granted = podsGranted(readAuditLog(realCluster().auditLog, USER), fleet.namespace)
    expect(repeated(granted)).toEqual([])
    const made = fleet.expectEachAttemptOnce()
    expect(granted.length).toBeGreaterThan(0)
    closingLine(
      `leaders: ${KILLS} leaders killed with ${Math.min(...midFlight)} to ${Math.max(...midFlight)} jobs in mid-flight; ` +
        `${fleet.size} jobs, 0 lost; ${made.length} pods, 0 made twice`,
    )
  },
  PATIENCE * (1 + KILLS),
)
