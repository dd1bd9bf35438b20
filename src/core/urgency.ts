// How soon a status must be stored: before the deeds it licenses, or when it is worth a write.
import type { JobStatus } from '../api/types.ts'
import { sameJson } from '../lib/json.ts'
import type { Worth } from './decision.ts'

export function isDone({ phase }: JobStatus): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

/** What licenses a deed, or must not be forgotten, is stored before the deed; mere counts can wait a second. */
export function isUrgent(before: JobStatus, status: JobStatus): boolean {
  // Nothing follows any more from what becomes of the other replicas of a finished job.
  if (isDone(before)) return false
  const turned = before.phase !== status.phase && status.phase !== 'Pending' && status.phase !== 'Running'
  return turned || !sameJson(outcomesOf(before), outcomesOf(status))
}

/** Nothing but further replicas that have succeeded. */
export function onlySuccesses(before: JobStatus, status: JobStatus): boolean {
  const { ended: known, ...rest } = outcomesOf(before)
  const { ended, ...others } = outcomesOf(status)
  const isKnown = (end: unknown): boolean => known.some((each) => sameJson(each, end))
  const added = ended.filter((end) => !isKnown(end))
  return (
    isUrgent(before, { ...status, phase: before.phase }) &&
    sameJson(rest, others) &&
    added.length === ended.length - known.length &&
    added.every(({ phase }) => phase === 'Succeeded')
  )
}

function outcomesOf({ tasks, backoffCount, conditions }: JobStatus) {
  const entries = tasks?.flatMap((task) => task.replicaStatus) ?? []
  const ended = entries.filter(({ phase }) => phase === 'Failed' || phase === 'Succeeded')
  // A loss sets the clock of its replacement: noted late, it would be dated late, or forgotten in a pause.
  const delays = entries
    .filter(({ setbacks }) => setbacks)
    .map(({ name, setbacks, restartAt }) => ({ name, setbacks, restartAt }))
  return {
    backoffCount: backoffCount ?? 0,
    ended: ended.map(({ uid, phase, replaces }) => ({ uid, phase, replaces })),
    granted: entries.filter(({ attempt }) => attempt).map(({ name, attempt }) => ({ name, attempt })),
    delays,
    // A node that is gone is named by its pods only, and they go next.
    nodes: conditions?.find(({ type, status }) => type === 'NodeTrouble' && status === 'True')?.message,
  }
}

/** What the difference to the stored status is worth. */
export function worthOf(stored: JobStatus, status: JobStatus): Worth {
  if (stored.phase !== status.phase) return 'turn'
  return isDone(stored) || sameJson(gistOf(stored), gistOf(status)) ? 'detail' : 'count'
}

/** Without what hardly anybody looks at while it changes: which pod bears which name, and how far those are that do not run. */
function gistOf({ tasks: _, replicas: __, aggregate, ...rest }: JobStatus): unknown {
  const { creating: ___, pending: ____, ...counts } = aggregate ?? {}
  return { ...rest, counts }
}
