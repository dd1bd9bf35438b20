// status.tensorboard: what became of the TensorBoard the job brought along. It never decides or delays anything.
import { tensorboardName } from '../api/names.ts'
import type { DependentStatus, JobStatus, TensorBoard } from '../api/types.ts'
import type { Observed, Reason } from './decision.ts'
import type { JobModel } from './job-model.ts'

/** Reasons of a board that is only on its way, or was stopped on purpose. */
const CALM = ['Starting', 'Paused']

export function tensorboardStatus(model: JobModel, observed: Observed, before: JobStatus): DependentStatus | undefined {
  if (!model.tensorboard) return undefined
  const name = tensorboardName(model.name, model.hash)
  if (!observed.cluster.tensorboards) {
    const note = `TensorBoard [${name}] cannot be made: this cluster does not know the kind TensorBoard`
    return { name, action: 'NOP', note, ready: false, reason: 'DependentUnavailable', type: 'Warning' }
  }
  const board = observed.tensorboard as TensorBoard | undefined
  if (!board) {
    const started = before.startTime !== undefined || (!model.paused && before.phase === undefined)
    const note = started
      ? `TensorBoard [${name}] is being created`
      : `TensorBoard [${name}] is created with the first pods`
    return { name, action: started ? 'Create' : 'NOP', note, ready: false, reason: 'DependentNotFound', type: 'Normal' }
  }
  const dependent = {
    apiVersion: board.apiVersion,
    kind: board.kind,
    name: board.metadata.name,
    namespace: board.metadata.namespace,
    uid: board.metadata.uid,
  }
  const phase = board.status?.phase
  const ready = board.status?.conditions?.find(({ type }) => type === 'Ready')
  if (phase === 'Running') {
    const lacks = ready?.reason === 'NoCredentials' ? ready.message : undefined
    const note = `TensorBoard [${name}] is ready${lacks ? `, but ${lacks}` : ''}`
    const type = lacks ? 'Warning' : 'Normal'
    return { name, action: 'NOP', dependent, note, ready: true, reason: 'DependentReady', type }
  }
  const words = ready?.message ?? phase
  const note = `TensorBoard [${name}] is not ready${words ? `: ${words}` : ''}`
  const calm = phase !== 'Failed' && (ready?.reason === undefined || CALM.includes(ready.reason))
  const type = calm ? 'Normal' : 'Warning'
  return { name, action: 'NOP', dependent, note, ready: false, reason: 'DependentNotReady', type }
}

/** Trouble with the TensorBoard is told once for each new cause. */
export function explainTensorBoard({ tensorboard: before }: JobStatus, { tensorboard: now }: JobStatus): Reason[] {
  if (now?.type !== 'Warning' || now.note === before?.note) return []
  const event = now.ready ? 'TensorBoardWithoutCredentials' : 'TensorBoardNotReady'
  return [{ object: 'job', type: 'Warning', event, message: now.note }]
}
