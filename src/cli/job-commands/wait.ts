// trainyard wait: until a job is as it should be, cannot be so any more, or the time is over.
import type { KubeClient } from '../../kube/index.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, isFinished, recordOf, resourceOf } from '../home/running-jobs.ts'
import { timeoutOf } from '../timeout.ts'
import { UsageError } from '../usage-error.ts'
import { findJob, findJobIfThere } from './find-job.ts'
import { summariseJob } from './job-summary.ts'
import { type ShowContext, showObjects } from './output-form.ts'
import { tellWhatIsAwaited } from './patience.ts'
import { spellDuration } from './spell-duration.ts'
import { waitFor } from './watch-set.ts'

export interface WaitOptions extends ClusterOptions {
  for?: string
  timeout?: string
}

const AIMS = ['Succeeded', 'Failed', 'Finished', 'Running', 'Paused', 'Deleted'] as const
export type Aim = (typeof AIMS)[number]

const TIMED_OUT = 124

export async function waitForJob(context: ShowContext, name: string, options: WaitOptions): Promise<number> {
  const aim = aimOf(options.for)
  const timeout = timeoutOf(options.timeout)?.millis
  const { client, namespace } = await connect(context, options)
  try {
    const job = await (aim === 'Deleted' ? findJobIfThere : findJob)(client, namespace, name)
    if (!job) {
      context.terminal.out(`${name} is not there\n`)
      return 0
    }
    const end = await awaitAim(context, client, job, aim, timeout)
    if (end.verdict === 'timeout') {
      context.terminal.err(
        `trainyard: ${job.metadata.name} is ${phaseOf(end.job ?? job)} after ${spellDuration(timeout!)} of waiting for ${aim}; it goes on\n`,
      )
      return TIMED_OUT
    }
    if (end.job && (await showObjects(context, [end.job], true))) return end.verdict === 'yes' ? 0 : 1
    const { out, err } = context.terminal
    if (end.verdict === 'yes') out(`${sayWhatItIs(job.metadata.name ?? '', end.job)}\n`)
    else err(`trainyard: ${sayWhatItIs(job.metadata.name ?? '', end.job)}; it will not be ${aim}\n`)
    return end.verdict === 'yes' ? 0 : 1
  } finally {
    await client.close()
  }
}

interface End {
  verdict: 'yes' | 'no' | 'timeout'
  /** Absent when it is gone. */
  job?: AnyJob
}

async function awaitAim(
  context: ShowContext,
  client: KubeClient,
  job: AnyJob,
  aim: Aim,
  timeout: number | undefined,
): Promise<End> {
  const { name = '', namespace, uid } = job.metadata
  let seen: AnyJob | undefined = job
  const patience = tellWhatIsAwaited(context, () => {
    const { phase, running, total } = summariseJob(seen ?? job, Date.now())
    return `waiting for ${name} to be ${aim}; it is ${phase}, ${running} of ${total} running`
  })
  try {
    // What is so already is so even if there is no time left to look again.
    const verdict = judgeAim(aim, job)
    if (verdict) return { verdict, job }
    const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout)
    const itself = { namespace, fieldSelector: `metadata.name=${name}` }
    const judge = (items: AnyJob[]): End | undefined => {
      seen = items.find((each) => each.metadata.uid === uid)
      const verdict = judgeAim(aim, seen)
      return verdict && { verdict, job: seen }
    }
    return (await waitFor(client, resourceOf(job), itself, judge, signal)) ?? { verdict: 'timeout', job: seen }
  } finally {
    patience.end()
  }
}

/** Undefined while it may still become so. */
export function judgeAim(aim: Aim, job: AnyJob | undefined): 'yes' | 'no' | undefined {
  if (!job) return aim === 'Deleted' ? 'yes' : 'no'
  if (aim === 'Deleted') return undefined
  if (phaseOf(job) === aim) return 'yes'
  if (!isFinished(job)) return undefined
  return aim === 'Finished' ? 'yes' : 'no'
}

function sayWhatItIs(name: string, job: AnyJob | undefined): string {
  if (!job) return `${name} is deleted`
  const { phase, duration } = summariseJob(job, Date.now())
  return isFinished(job) ? `${name} has ${phase} after ${spellDuration(duration)}` : `${name} is ${phase}`
}

const phaseOf = (job: AnyJob): string => recordOf(job).phase ?? 'Pending'

function aimOf(text = 'Succeeded'): Aim {
  const word = text.replace(/^(phase|condition)=/i, '').replace(/^delete$/i, 'Deleted')
  const found = AIMS.find((aim) => aim.toLowerCase() === word.toLowerCase())
  if (!found) throw new UsageError(`--for=${text}: it is one of ${AIMS.join(', ')}`)
  return found
}
