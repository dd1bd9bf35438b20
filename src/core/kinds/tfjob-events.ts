// The engine's reasons in Kubeflow's words, which dashboards and scripts of TFJob users know.

import { groupBy } from '../../lib/group-by.ts'
import type { Action, Reason } from '../decision.ts'
import type { JobModel } from '../job-model.ts'
import type { Replica } from '../replicas.ts'
import { restartedTypes } from './tfjob-status.ts'

const NAMES_IN_AN_EVENT = 10

export function speakKubeflow(
  model: JobModel,
  reasons: readonly Reason[],
  replicas: readonly Replica[],
  actions: readonly Action[],
): Reason[] {
  return [...translate(model, reasons, replicas), ...tellDeletions(actions)]
}

function translate(model: JobModel, reasons: readonly Reason[], replicas: readonly Replica[]): Reason[] {
  const about = `TFJob ${model.name}`
  const byKey = new Map(replicas.map((replica) => [replica.place.key, replica]))
  return reasons.map((reason): Reason => {
    const keep = { word: reason.word ?? reason.event, short: reason.short ?? reason.message }
    const say = (event: string, message: string, type = reason.type): Reason => ({
      object: reason.object,
      type,
      event,
      message,
      ...keep,
    })
    switch (reason.event) {
      case 'NewReplica':
        return say(
          'SuccessfulCreatePod',
          reason.message.replace(/^Create the replica\[(.*?)\](.*) for the first time\.$/, 'Created pod: $1$2'),
        )
      case 'ReplicaFailed':
      case 'ReplicaSucceeded':
        return say('ExitedWithCode', exitedWithCode(model, byKey.get(reason.object)), 'Normal')
      case 'RestartReplica': {
        const restarted = restartedTypes({ replicas, reasons: [reason] })
        return say('TFJobRestarting', `${about} is restarting because ${restarted} replica(s) failed.`, 'Warning')
      }
      case 'Paused':
        return say('TFJobSuspended', `${about} is suspended.`)
      case 'Resumed':
        return say('TFJobResumed', `${about} is resumed.`)
      case 'Succeeded':
        return say('TFJobSucceeded', `${about} successfully completed.`)
      case 'Failed':
      case 'DeadlineExceeded':
        return say('TFJobFailed', failedBecause(about, reason, replicas), 'Normal')
      case 'Doubtful':
        return doubtAboutTemplate(model, reason) ?? reason
      case 'InvalidSpec':
        return say('InvalidTFJobSpec', `Failed to marshal the object to TFJob; the spec is invalid: ${reason.message}`)
      default:
        return reason
    }
  })
}

/** What Kubeflow says of a pod template that sets what the job decides. */
function doubtAboutTemplate(model: JobModel, reason: Reason): Reason | undefined {
  const [, field] = /\.template\.spec\.(restartPolicy|schedulerName): /.exec(reason.message) ?? []
  if (field === undefined) return undefined
  const v1 = model.environment.framework === 'tfjob' && model.environment.edition === 'v1'
  const set = v1 ? 'SetPodTemplate' : 'SettedPodTemplate'
  const message =
    field === 'restartPolicy'
      ? 'Restart policy in pod template will be overwritten by restart policy in replica spec'
      : 'Another scheduler is specified when gang-scheduling is enabled and it will not be overwritten'
  return { ...reason, event: field === 'restartPolicy' ? `${set}RestartPolicy` : `${set}SchedulerName`, message }
}

/** One event for all pods of a pass, as with creations. */
function tellDeletions(actions: readonly Action[]): Reason[] {
  const deleted = actions.filter((action) => action.verb === 'delete').filter(({ kind }) => kind === 'Pod')
  if (deleted.length === 0) return []
  const names = deleted.slice(0, NAMES_IN_AN_EVENT).map(({ name }) => name)
  const more =
    deleted.length > names.length ? ` and ${deleted.length - names.length} more, ${deleted.length} in all` : ''
  return [
    {
      object: deleted.length === 1 ? (deleted[0]!.replica ?? 'job') : 'job',
      type: 'Normal',
      event: 'SuccessfulDeletePod',
      message: `Deleted pod: ${names.join(', ')}${more}`,
      word: 'Deleted',
      short: `${deleted.length} pod${deleted.length > 1 ? 's' : ''}`,
    },
  ]
}

function exitedWithCode(model: JobModel, replica: Replica | undefined): string {
  const code = replica?.look.is === 'ended' ? replica.look.exitCode : undefined
  return `Pod: ${model.namespace}.${replica?.place.podName} exited with code ${code ?? 'unknown'}`
}

function failedBecause(about: string, reason: Reason, replicas: readonly Replica[]): string {
  if (reason.event === 'DeadlineExceeded')
    return `${about} has failed because it was active longer than specified deadline`
  if (reason.message.includes('restarts are used up'))
    return `${about} has failed because it has reached the specified backoff limit`
  const failed = replicas.filter(({ entry }) => entry.phase === 'Failed').map(({ place }) => place.role.label)
  const counts = [...groupBy(failed, (label) => label)].map(([label, all]) => `${all.length} ${label}`)
  return `${about} has failed because ${counts.join(', ')} replica(s) failed.`
}
