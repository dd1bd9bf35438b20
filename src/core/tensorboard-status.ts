// status.tensorboard: what became of the TensorBoard the job brought along. It never decides or delays anything.
import { tensorboardName } from '../api/names.ts'
import type { DependentStatus, JobStatus, KubeObject } from '../api/types.ts'
import type { Observed } from './decision.ts'
import type { JobModel } from './job-model.ts'

export function tensorboardStatus(model: JobModel, observed: Observed, before: JobStatus): DependentStatus | undefined {
  if (!model.tensorboard) return undefined
  const name = tensorboardName(model.name, model.hash)
  if (!observed.cluster.tensorboards) {
    const note = `TensorBoard [${name}] cannot be made: this cluster does not know the kind TensorBoard`
    return { name, action: 'NOP', note, ready: false, reason: 'DependentUnavailable', type: 'Warning' }
  }
  const board = observed.tensorboard as (KubeObject & { status?: { phase?: string } }) | undefined
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
  if (phase === 'Running') {
    const note = `TensorBoard [${name}] is ready`
    return { name, action: 'NOP', dependent, note, ready: true, reason: 'DependentReady', type: 'Normal' }
  }
  const note = `TensorBoard [${name}] is not ready${phase ? `: ${phase}` : ''}`
  const type = phase === 'Failed' ? 'Warning' : 'Normal'
  return { name, action: 'NOP', dependent, note, ready: false, reason: 'DependentNotReady', type }
}
