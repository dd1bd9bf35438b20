// trainyard scale: another number of nodes for an elastic job.
import type { PyTorchTrainingJob } from '../../api/types.ts'
import { read } from '../../core/read.ts'
import { placesOf } from '../../core/slots.ts'
import type { KubeClient } from '../../kube/index.ts'
import { connect } from '../home/connect.ts'
import { type AnyJob, isFinished, recordOf, resourceOf } from '../home/running-jobs.ts'
import { UsageError } from '../usage-error.ts'
import { Declined } from './declined.ts'
import { findJob } from './find-job.ts'
import { summariseJob } from './job-summary.ts'
import { type ShowContext, showObjects } from './output-form.ts'
import { tellWhatIsAwaited } from './patience.ts'
import { refuseFinished, type SteerOptions } from './pause.ts'
import { spellWait } from './spell-duration.ts'
import { waitFor } from './watch-set.ts'

export async function scaleJob(
  context: ShowContext,
  wanted: string,
  number: string,
  options: SteerOptions,
): Promise<number> {
  if (!/^\d{1,9}$/.test(number)) throw new UsageError(`scale needs a number of nodes; "${number}" is none`)
  const nodes = Number(number)
  const { terminal } = context
  const { client, namespace } = await connect(context, options)
  try {
    const job = await findJob(client, namespace, wanted)
    const { name = '' } = job.metadata
    const { min, max, expected } = decideScale(job, nodes)
    if (expected === nodes) {
      terminal.out(`${name} has ${nodes} ${nodes === 1 ? 'node' : 'nodes'} already (${min} to ${max} allowed)\n`)
      return 0
    }
    const at = { namespace: job.metadata.namespace, name }
    const body = { spec: { elastic: { expectedReplicas: nodes } } }
    const asked = await client.patch(resourceOf(job), at, { type: 'merge', body })
    const change = `${name}  ${expected} → ${nodes} ${nodes === 1 ? 'node' : 'nodes'} (${min} to ${max} allowed)`
    if (!options.wait || recordOf(job).phase === 'Paused') {
      terminal.out(`${change}   ${options.wait ? 'when it is resumed' : 'asked for'}\n`)
      return 0
    }
    const start = performance.now()
    const after = await awaitSize(context, client, asked, nodes)
    if (await showObjects(context, [after], true)) return 0
    const spent = summariseJob(after, Date.now()).restarts - summariseJob(job, Date.now()).restarts
    const words = `after ${spellWait(performance.now() - start)}, ${spent} ${spent === 1 ? 'restart' : 'restarts'}`
    terminal.out(`${change}   ${describeChange(job as PyTorchTrainingJob, asked as PyTorchTrainingJob)} ${words}\n`)
    return recordOf(after).phase === 'Failed' ? 1 : 0
  } finally {
    await client.close()
  }
}

export function decideScale(job: AnyJob, nodes: number): { min: number; max: number; expected: number } {
  const { elastic } = read(job)
  const { name } = job.metadata
  if (!elastic) {
    throw new Declined(`${name} is not elastic; spec.elastic.enable and torchrun are needed to change its size`)
  }
  refuseFinished(job, 'scaled')
  if (nodes > elastic.max)
    throw new Declined(`${name}: ${nodes} is more than spec.elastic.maxReplicas (${elastic.max})`)
  if (nodes < elastic.min)
    throw new Declined(`${name}: ${nodes} is less than spec.elastic.minReplicas (${elastic.min})`)
  return elastic
}

/** `worker-2, worker-3 joined`, `worker-3 left`. */
export function describeChange(before: PyTorchTrainingJob, after: PyTorchTrainingJob): string {
  const [had, has] = [before, after].map((job) => placesOf(read(job)).map((place) => place.key)) as [string[], string[]]
  const joined = has.filter((key) => !had.includes(key))
  const left = had.filter((key) => !has.includes(key))
  const parts = [
    ...(joined.length > 0 ? [`${joined.join(', ')} joined`] : []),
    ...(left.length > 0 ? [`${left.join(', ')} left`] : []),
  ]
  return parts.join(', ')
}

async function awaitSize(context: ShowContext, client: KubeClient, job: AnyJob, nodes: number): Promise<AnyJob> {
  const { name, namespace, uid } = job.metadata
  let seen = job
  const patience = tellWhatIsAwaited(context, () => {
    const { running } = summariseJob(seen, Date.now())
    return `waiting for ${name}: ${running} of ${nodes} nodes running`
  })
  try {
    const found = await waitFor(
      client,
      resourceOf(job),
      { namespace, fieldSelector: `metadata.name=${name}` },
      (items) => {
        const now = items.find((each) => each.metadata.uid === uid)
        if (!now) throw new Declined(`${name} was deleted meanwhile`)
        seen = now
        if ((recordOf(now).observedGeneration ?? 0) < (job.metadata.generation ?? 0)) return undefined
        const { running, total } = summariseJob(now, Date.now())
        return (running === nodes && total === nodes) || isFinished(now) ? now : undefined
      },
    )
    return found!
  } finally {
    patience.end()
  }
}
