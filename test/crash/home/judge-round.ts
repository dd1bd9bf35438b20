// Whether the API tells of a round what the programs themselves have written down.
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { phaseOfJob } from '../../../src/api/job-phase.ts'
import { type AnyJob, recordOf } from '../../../src/cli/home/running-jobs.ts'
import { fromTimestamp } from '../../../src/lib/time.ts'
import type { PlannedJob, PlannedReplica } from './jobs.ts'
import { type Ledger, reportedAs } from './ledger.ts'

const TICK = 20

/** Every difference, in words; empty if there is none. */
export function judgeJob(planned: PlannedJob, job: AnyJob, pods: readonly Pod[], ledger: Ledger): string[] {
  const { name } = planned.job.metadata
  const wrong = planned.replicas.flatMap((replica) => judgeReplica(replica, job, pods, ledger))
  const phase = phaseOfJob(job)
  if (phase !== planned.phase) wrong.push(`${name} is ${phase}, not ${planned.phase}`)
  return wrong
}

function judgeReplica({ key, type, endings }: PlannedReplica, job: AnyJob, pods: readonly Pod[], ledger: Ledger) {
  const wrong: string[] = []
  const lives = ledger.livesOf(key)
  const told = lives.map(({ attempt, ending }) => `#${attempt} ${ending ?? 'runs'}`)
  const meant = endings.map((ending, i) => `#${i + 1} ${ending}`)
  if (told.join() !== meant.join()) wrong.push(`${key} lived ${told.join(', ')}; planned was ${meant.join(', ')}`)

  const entry = recordOf(job).tasks?.find((task) => task.type.toLowerCase() === type)?.replicaStatus[0]
  const restarts = entry?.restartCount ?? 0
  if (restarts !== endings.length - 1)
    wrong.push(`${key}: ${restarts} restarts are recorded, not ${endings.length - 1}`)
  const pod = pods.find(({ metadata }) => metadata?.name === entry?.name)
  const life = lives.at(-1)
  if (pod?.metadata?.uid !== life?.uid) wrong.push(`${key}: its last program ran in another pod than the API has`)
  const end = pod?.status?.containerStatuses?.[0]?.state?.terminated
  const expected = reportedAs(endings.at(-1)!)
  if (end?.exitCode !== expected.exitCode || end.signal !== expected.signal)
    wrong.push(`${key} ended with ${endings.at(-1)}, reported is ${JSON.stringify(end)}`)
  // Written down by the program just before it ended; the times of files go by the kernel's tick.
  const at = fromTimestamp(end?.finishedAt)
  if (at === undefined || life?.endedAt === undefined || at < life.endedAt - TICK)
    wrong.push(`${key} ended at ${life?.endedAt}, reported is ${at}`)
  return wrong
}
