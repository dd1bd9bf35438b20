import type { JobPhase, JobStatus, TFJobStatus, TrainingJob } from './types.ts'

/** One of the same seven words for all four kinds; a TFJob's own status says it in conditions. */
export function phaseOfJob(job: TrainingJob): JobPhase {
  if (job.kind !== 'TFJob') return (job.status as JobStatus | undefined)?.phase ?? 'Pending'
  const { conditions, trainyard } = (job.status ?? {}) as TFJobStatus
  const statusOf = (type: string): string | undefined =>
    conditions?.find((condition) => condition.type === type)?.status
  if (statusOf('Failed') === 'True') return 'Failed'
  if (statusOf('Succeeded') === 'True') return 'Succeeded'
  if (statusOf('Suspended') === 'True') return 'Paused'
  if (trainyard?.phase === 'Unknown') return 'Unknown'
  if (statusOf('Running') === 'True' || statusOf('Restarting') === 'True') return 'Running'
  return statusOf('Suspended') === 'False' ? 'Resuming' : 'Pending'
}
