// trainyard pause and resume: asked for with one field, and waited for.
import { pausePatch } from '../../api/pause-patch.ts'
import { read } from '../../core/read.ts'
import { type KubeClient, PODS } from '../../kube/index.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, isFinished, recordOf, resourceOf } from '../home/running-jobs.ts'
import { Declined } from './declined.ts'
import { findJob } from './find-job.ts'
import { summariseJob } from './job-summary.ts'
import { type ShowContext, showObjects } from './output-form.ts'
import { tellWhatIsAwaited } from './patience.ts'
import { podsOfJob } from './replica-of-pod.ts'
import { spellWait } from './spell-duration.ts'
import { waitFor } from './watch-set.ts'

export interface SteerOptions extends ClusterOptions {
  wait: boolean
}

export const pauseJob = (context: ShowContext, name: string, options: SteerOptions): Promise<number> =>
  steer(context, name, options, true)

export const resumeJob = (context: ShowContext, name: string, options: SteerOptions): Promise<number> =>
  steer(context, name, options, false)

async function steer(context: ShowContext, wanted: string, options: SteerOptions, pausing: boolean): Promise<number> {
  const { terminal, err } = context
  const { client, namespace } = await connect(context, options)
  try {
    const job = await findJob(client, namespace, wanted)
    const { name = '' } = job.metadata
    refuseFinished(job, pausing ? 'paused' : 'resumed')
    const before = phaseOf(job)
    if (read(job).paused === pausing && (before === 'Paused') === pausing) {
      terminal.out(`${name} is ${before}${pausing ? ' already' : '; there is nothing to resume'}\n`)
      return 0
    }
    const at = { namespace: job.metadata.namespace, name }
    const asked = await client.patch(resourceOf(job), at, { type: 'merge', body: pausePatch(job, pausing) })
    if (!options.wait) {
      terminal.out(`${name} will be ${pausing ? 'paused' : 'resumed'}\n`)
      return 0
    }
    const after = pausing ? await awaitPause(context, client, asked) : await awaitStart(context, client, asked)
    if (await showObjects(context, [after.job], true)) return 0
    terminal.out(`${name}  ${[before, ...after.phases].join(' → ')}   ${after.words}\n`)
    if (pausing) terminal.err(`  ${err.paint('dim', 'go on')}  trainyard resume ${name}\n`)
    return phaseOf(after.job) === 'Failed' ? 1 : 0
  } finally {
    await client.close()
  }
}

interface Steered {
  job: AnyJob
  phases: string[]
  words: string
}

async function awaitPause(context: ShowContext, client: KubeClient, job: AnyJob): Promise<Steered> {
  const start = performance.now()
  const { name, namespace, uid } = job.metadata
  const ofJob = { namespace, labelSelector: podsOfJob(uid) }
  const stopped = (await client.list(PODS, ofJob)).items.length
  let left = stopped
  const patience = tellWhatIsAwaited(context, () => `waiting for ${left} of ${stopped} pods of ${name} to end`)
  try {
    await waitFor(client, PODS, ofJob, (pods) => {
      left = pods.length
      return left === 0 ? true : undefined
    })
    const paused = await awaitPhase(client, job, (phase) => phase === 'Paused')
    const { restarts } = summariseJob(paused.job, Date.now())
    const pods = `${stopped} ${stopped === 1 ? 'pod' : 'pods'}`
    const words = `${pods} stopped in ${spellWait(performance.now() - start)}; restarts used so far (${restarts}) are kept`
    return { ...paused, words }
  } finally {
    patience.end()
  }
}

async function awaitStart(context: ShowContext, client: KubeClient, job: AnyJob): Promise<Steered> {
  const start = performance.now()
  let seen = job
  const count = (): string => {
    const { running, total } = summariseJob(seen, Date.now())
    return `${running} of ${total} running`
  }
  const patience = tellWhatIsAwaited(context, () => `waiting for ${job.metadata.name}: ${count()}`)
  try {
    const running = await awaitPhase(
      client,
      job,
      (phase) => phase === 'Running',
      (now) => {
        seen = now
      },
    )
    seen = running.job
    return { ...running, words: `${count()} after ${spellWait(performance.now() - start)}` }
  } finally {
    patience.end()
  }
}

/** Until the phase fits or the job has ended; tells which phases were seen on the way. */
async function awaitPhase(
  client: KubeClient,
  job: AnyJob,
  fits: (phase: string) => boolean,
  onChange: (job: AnyJob) => void = () => {},
): Promise<{ job: AnyJob; phases: string[] }> {
  const { name, namespace, uid } = job.metadata
  const phases: string[] = []
  const found = await waitFor(
    client,
    resourceOf(job),
    { namespace, fieldSelector: `metadata.name=${name}` },
    (items) => {
      const now = items.find((each) => each.metadata.uid === uid)
      if (!now) throw new Declined(`${name} was deleted meanwhile`)
      // The record speaks of an older wish until the operator has read this one.
      if ((recordOf(now).observedGeneration ?? 0) < (job.metadata.generation ?? 0)) return undefined
      onChange(now)
      const phase = phaseOf(now)
      if (phases.at(-1) !== phase) phases.push(phase)
      return fits(phase) || isFinished(now) ? now : undefined
    },
  )
  return { job: found!, phases }
}

export function refuseFinished(job: AnyJob, deed: string): void {
  if (!isFinished(job)) return
  throw new Declined(`${job.metadata.name} has ${phaseOf(job)}; a finished job cannot be ${deed}`)
}

const phaseOf = (job: AnyJob): string => recordOf(job).phase ?? 'Pending'
