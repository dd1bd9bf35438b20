// The door: plays a job and a script in virtual time and tells what became of them.
import { type Issue, messageOf, pathText } from '../api/issue.ts'
import { phaseOfJob } from '../api/job-phase.ts'
import type { JobPhase, JobStatus, KubeObject, TFJobStatus, TrainingJob } from '../api/types.ts'
import { validate } from '../api/validate.ts'
import { PLACEHOLDER_UID } from '../core/plan.ts'
import { read } from '../core/read.ts'
import { isObject } from '../lib/json.ts'
import { toTimestamp } from '../lib/time.ts'
import { castOf } from './cast.ts'
import { describeDifferences } from './compare-endings.ts'
import { readScript } from './read-script.ts'
import { type Scene, sceneOf } from './scene.ts'
import type { Play, Script } from './script.ts'
import { KINDS } from './simulated-api.ts'
import { type Simulated, simulate } from './simulation.ts'
import type { TimelineEntry } from './timeline.ts'

export { parseScript, type ScriptError } from './parse-script.ts'
export { renderRehearsal } from './render.ts'
export type { Behaviour, Script, ScriptEvent } from './script.ts'
export type { TimelineEntry } from './timeline.ts'

export interface RehearsedReplica {
  type: string
  index: number
  /** A pod that was created is an attempt; times are seconds since the job's creation. */
  attempts: Array<{
    uid: string
    startedAt: number | null
    endedAt: number | null
    phase: string
    exitCode: number | null
  }>
}

export interface RehearsalResult {
  phase: JobPhase | 'Deleted'
  /** The kind's own. */
  status: object
  timeline: TimelineEntry[]
  replicas: RehearsedReplica[]
  /** What exists at the end, the job first. */
  objects: KubeObject[]
  /** For the picture; not enumerable, so it is in no JSON. */
  readonly scene: Scene
}

/** A job the cluster would refuse, a script that is impossible for it, or an engine that broke its own rules. */
export class RehearsalError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'RehearsalError'
    this.problems = problems
  }
}

const JOB_KINDS: ReadonlySet<string> = new Set(['TensorFlowTrainingJob', 'PyTorchTrainingJob', 'GenericJob', 'TFJob'])
/** Any moment would do; only what passes since then is told. */
const BEGINNING = Date.UTC(2026, 0, 1)

export function rehearse(object: TrainingJob, script: Script = {}): RehearsalResult {
  const job = createJob(object)
  const { play, issues } = readScript(script, castOf(job, script))
  refuseIf(issues)
  const crashes = play.deeds.some(({ deed }) => deed.do === 'crash')
  const result = tellResult(simulate(job, BEGINNING, play, 'done'))
  if (crashes) compareWithLostWrites(job, play, result)
  return result
}

function tellResult(simulated: Simulated): RehearsalResult {
  const { job, deleted, timeline, places, attempts, api } = simulated
  const objects: KubeObject[] = KINDS.flatMap((kind) => api.list(kind))
  const result = {
    phase: deleted ? 'Deleted' : phaseOfJob(job),
    status: (job.status ?? {}) as JobStatus | TFJobStatus,
    timeline,
    replicas: places.map(({ type, index, key }) => ({
      type,
      index,
      attempts: attempts.of(key).map(({ uid, startedAt, endedAt, phase, exitCode }) => ({
        uid,
        startedAt: seconds(startedAt),
        endedAt: seconds(endedAt),
        phase,
        exitCode,
      })),
    })),
    objects: deleted ? objects : [job, ...objects],
  }
  return Object.defineProperty(result, 'scene', { value: sceneOf(simulated) }) as RehearsalResult
}

function createJob(object: TrainingJob): TrainingJob {
  if (!isObject(object) || !isObject(object.metadata)) refuseIf(validate(object).issues)
  if (!JOB_KINDS.has(object.kind))
    throw new RehearsalError([`a ${object.kind} is no training job and cannot be rehearsed`])
  const { status: _, ...wanted } = object
  const { generation, resourceVersion, deletionTimestamp, ...given } = object.metadata ?? {}
  // As the server would name it, but always alike.
  const name = given.name ?? (given.generateName === undefined ? undefined : `${given.generateName}xxxxx`)
  // The same job always has the same names: those that `plan` shows.
  const own = { namespace: given.namespace ?? 'default', uid: given.uid ?? PLACEHOLDER_UID, ...(name && { name }) }
  const metadata = { ...given, ...own, creationTimestamp: toTimestamp(BEGINNING) }
  const { object: stored, issues } = validate({ ...wanted, metadata })
  refuseIf(issues)
  const { problems } = read(stored as TrainingJob)
  refuseIf(problems)
  return stored as TrainingJob
}

/** A controller that dies may have done its last write or not; the job must not be able to tell. */
function compareWithLostWrites(job: TrainingJob, play: Play, done: RehearsalResult): void {
  const lost = tellResult(simulate(job, BEGINNING, play, 'lost'))
  const differences = describeDifferences(done, lost)
  if (differences.length === 0) return
  throw new RehearsalError(
    differences.map(
      (text) => `controller: crash: it makes a difference whether the last write was done or lost: ${text}`,
    ),
  )
}

function refuseIf(issues: readonly Issue[]): void {
  const errors = issues.filter((issue) => issue.severity === 'error')
  if (errors.length === 0) return
  throw new RehearsalError(errors.map((issue) => `${pathText(issue.path)}: ${messageOf(issue)}`))
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000
}
