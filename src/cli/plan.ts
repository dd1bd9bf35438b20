// trainyard plan: what a job would bring into the cluster, without one.

import type { TrainingJob } from '../api/types.ts'
import { buildPlan, PLACEHOLDER_UID } from '../core/plan.ts'
import { read } from '../core/read.ts'
import type { CommandContext } from './context.ts'
import { notice, readJobs } from './jobs.ts'
import { renderData } from './output/data.ts'
import { renderPlan } from './plan/picture.ts'

export async function planFiles(
  context: CommandContext,
  files: readonly string[],
  namespace?: string,
): Promise<number> {
  const { terminal, format, out } = context
  const found = await readJobs(context, files)
  if (!found) return 1
  // Other kinds make no objects of their own: the plan is empty, and that is an answer.
  if (found.jobs.length === 0) notice(context, `${found.without}; nothing would be made`)
  const plans = found.jobs.map((job) => planJob(job, namespace))
  if (format) terminal.out(await renderData({ objects: plans.flatMap(({ objects }) => objects) }, format))
  else terminal.out(plans.map(({ model, objects }) => renderPlan(model, objects, out)).join('\n'))
  return 0
}

export function planJob(job: TrainingJob, namespace?: string) {
  // What an API server puts there (the file may come from `kubectl get -o yaml`) is not this job's: it is fresh.
  const { uid: _uid, creationTimestamp: _created, deletionTimestamp: _deleted, ...metadata } = job.metadata
  const model = read({
    ...job,
    metadata: { ...metadata, namespace: metadata.namespace ?? namespace ?? 'default', uid: PLACEHOLDER_UID },
  } as TrainingJob)
  return { model, objects: buildPlan(model) }
}
