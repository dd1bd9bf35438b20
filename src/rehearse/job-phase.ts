import type { JobPhase, JobStatus, TFJobStatus, TrainingJob } from '../api/types.ts'

/** One of the same seven words for all four kinds; a TFJob's own status says it in conditions. */
export function phaseOfJob(job: TrainingJob): JobPhase {
  if (job.kind !== 'TFJob') return (job.status as JobStatus | undefined)?.phase ?? 'Pending'
  const status = job.status as TFJobStatus | undefined
  const holds = (type: string): boolean =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
  if (holds('Failed')) return 'Failed'
  if (holds('Succeeded')) return 'Succeeded'
  if (status?.trainyard?.phase) return status.trainyard.phase
  if (holds('Suspended')) return 'Paused'
  return holds('Running') || holds('Restarting') ? 'Running' : 'Pending'
}
