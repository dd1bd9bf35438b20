// Why there are no logs: nothing was written, or something was asked for that the job does not have.
import type { JobModel } from '../../core/job-model.ts'
import { Declined } from './declined.ts'
import { refuseUnknownReplica } from './exec.ts'
import type { LogSource } from './log-sources.ts'

export interface Asked {
  replica?: string
  container?: string
  attempt?: number
}

export interface JobState {
  finished: boolean
  /** Also of pods that are gone: here, but not on a cluster. */
  kept: boolean
}

export function explainNoLogs(
  model: JobModel,
  all: ReadonlyArray<Pick<LogSource, 'replica' | 'container' | 'attempt'>>,
  { replica, container, attempt }: Asked,
  { finished, kept }: JobState,
): string {
  if (replica !== undefined && !all.some((source) => source.replica === replica)) refuseUnknownReplica(model, replica)
  const ofReplica = all.filter((source) => replica === undefined || source.replica === replica)
  const containers = [...new Set(ofReplica.map((source) => source.container))]
  if (container !== undefined && containers.length > 0 && !containers.includes(container)) {
    throw new Declined(`no container "${container}" has written a log; there are ${containers.join(', ')}`)
  }
  const attempts = [...new Set(ofReplica.map((source) => source.attempt))].sort((a, b) => a - b)
  if (attempt !== undefined && attempts.length > 0 && !attempts.includes(attempt)) {
    throw new Declined(`there was no attempt ${attempt}; there are ${attempts.join(', ')}`)
  }
  const who = replica ?? model.name
  if (!finished) return `${who} has written nothing yet`
  return kept ? `${who} has written nothing` : `${who} has no logs any more; on a cluster they go with the pods`
}
