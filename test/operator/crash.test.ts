// The operator may die between any two writes: its successor brings every job to the same end, and no attempt runs twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { type Connection, KubeClient, loadConnection, PODS } from '../../src/kube/index.ts'
import { startOperator } from '../../src/operator/operator.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { trainingJobs } from '../conformance/manifests.ts'
import { type Actor, replicaOf, Stage } from '../conformance/stage.ts'
import { type Death, MortalClient } from './mortal-client.ts'
import { installCrds } from './operator-at-work.ts'
import { statusDriver } from './status-driver.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-crash-'))
let server: RunningServer
let connection: Connection
let client: KubeClient

beforeAll(async () => {
  server = await startServer({ dir, log: () => {} })
  connection = await loadConnection({ kubeconfig: server.kubeconfigPath })
  client = new KubeClient(connection)
  await installCrds(client)
})
afterAll(async () => {
  await client.close()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

interface Story {
  kind: string
  begin(stage: Stage): Promise<Actor>
  /** The exit code of a replica's nth pod; undefined: it runs on. */
  exitCode(replica: string, attempt: number): number | undefined
  end: string
  /** How often each replica has run at the end. */
  attempts: Record<string, number>
  restarts: number
}

const MOST_WRITES = 17

const onFailure = () => ({ restartPolicy: 'OnFailure' })

const stories: Story[] = [
  {
    kind: 'PyTorchTrainingJob',
    begin: (stage) =>
      trainingJobs(stage).pytorch({ master: 1, worker: 1 }, { runPolicy: { cleanUpPolicy: 'All' } }, onFailure),
    // The master waits for the worker's second attempt.
    exitCode: (replica, attempt) => (replica === 'worker-0' ? (attempt === 1 ? 1 : 0) : undefined),
    end: 'Succeeded',
    attempts: { 'master-0': 1, 'worker-0': 2 },
    restarts: 1,
  },
  {
    kind: 'TFJob',
    begin: (stage) => trainingJobs(stage).tfjob({ Chief: 1, Worker: 1 }, { backoffLimit: 1 }, onFailure),
    exitCode: (replica) => (replica === 'worker-0' ? 1 : undefined),
    end: 'Failed',
    attempts: { 'chief-0': 1, 'worker-0': 2 },
    restarts: 1,
  },
]

/** Plays a story under operators the first of which dies; returns how many writes that one sent. */
async function play(story: Story, death: Death): Promise<{ writes: number; died: boolean }> {
  const stage = await Stage.open({ kubeconfig: server.kubeconfigPath, driver: statusDriver(client) })
  const stopped = new AbortController()
  const uids = new Map<string, Set<string>>()
  const first = new MortalClient(connection, death)
  let operator = startOperator({ client: first, namespace: stage.namespace })
  let died = false
  const succession = first.died.then(async () => {
    died = true
    const dead = operator.stop()
    operator = startOperator({ client, namespace: stage.namespace })
    await dead
  })
  const kubelet = playPods(stage, story, uids, stopped.signal)
  try {
    await operator.ready
    const job = await story.begin(stage)
    const status = await job.reaches(story.end)
    const journal = story.kind === 'TFJob' ? status.trainyard : status
    const ran = Object.fromEntries([...uids].map(([replica, seen]) => [replica, seen.size]))
    expect(ran).toEqual(story.attempts)
    expect(journal?.backoffCount ?? 0).toBe(story.restarts)
    return { writes: first.writes, died }
  } finally {
    stopped.abort()
    await kubelet
    if (died) await succession
    await operator.stop()
    await stage.close()
    await first.close()
  }
}

/** Starts every pod, and ends those whose time has come. */
async function playPods(
  stage: Stage,
  story: Story,
  uids: Map<string, Set<string>>,
  signal: AbortSignal,
): Promise<void> {
  const { client, namespace, driver } = stage
  const begin = async (pod: Pod) => {
    const replica = replicaOf(pod)
    const seen = uids.get(replica) ?? new Set<string>()
    seen.add(pod.metadata?.uid ?? '')
    uids.set(replica, seen)
    await driver.start(pod)
    const code = story.exitCode(replica, seen.size)
    if (code === undefined) masters.push(pod)
    else await driver.exit(pod, code)
    // Once the last of the others has ended well, so does who waited for it.
    if (code === 0) await Promise.all(masters.splice(0).map((waiting) => driver.exit(waiting, 0)))
  }
  const masters: Pod[] = []
  try {
    for await (const { type, object } of client.watch(PODS, { namespace, signal })) {
      // It may be deleted before it is started: then it never ran.
      if (type === 'ADDED') await begin(object).catch(() => {})
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Before one write is after the one before it, except among the first ones, which are sent side by side. */
const deaths: Death[] = [
  ...Array.from({ length: 5 }, (_, i): Death => ({ at: i + 1, when: 'before' })),
  ...Array.from({ length: MOST_WRITES }, (_, i): Death => ({ at: i + 1, when: 'after' })),
]

describe.concurrent.each(stories)('$kind', (story) => {
  test.each(deaths)('the operator dies $when write $at', async (death) => {
    await play(story, death)
  })

  test('the story has no more writes than deaths were tried', async () => {
    const { writes, died } = await play(story, { at: Number.POSITIVE_INFINITY, when: 'before' })
    expect(died).toBe(false)
    expect(writes).toBeLessThanOrEqual(MOST_WRITES)
  })
})
