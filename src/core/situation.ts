// What the conditions and the reasons speak of: who is missing, who failed last.
import type { JobStatus } from '../api/types.ts'
import type { Situation } from './conditions.ts'
import type { Observed } from './decision.ts'
import { GANGS, standingOf } from './gangs.ts'
import { holdUpOf } from './hold-up.ts'
import type { JobModel } from './job-model.ts'
import { nodeTroubleOf } from './node-trouble.ts'
import type { Outcome } from './outcome.ts'
import { isFinal, isOwed, type Replica } from './replicas.ts'

/** More names than this tell nobody more. */
const NAMED = 3

export function situationOf(
  model: JobModel,
  observed: Observed,
  before: JobStatus,
  status: JobStatus,
  replicas: readonly Replica[],
  outcome: Outcome | undefined,
): Situation {
  return {
    phase: status.phase ?? 'Pending',
    outcome,
    waitingFor: waitingFor(replicas, status),
    failure: lastFailure(replicas, before),
    noGangScheduler: model.gang !== undefined && !observed.cluster.gangScheduler,
    gang: standingOf(observed.cluster.gangScheduler, observed.podGroup),
    troubles: observed.troubles ?? [],
    ...(!outcome && {
      heldUp: heldUp(model, observed, before, status, replicas),
      nodeTrouble: nodeTrouble(observed, before, replicas),
    }),
  }
}

/** Those whose pod cannot run, the same cause told once; what cannot be helped by waiting goes first. */
function heldUp(
  model: JobModel,
  observed: Observed,
  before: JobStatus,
  { underWay }: JobStatus,
  replicas: readonly Replica[],
): Situation['heldUp'] {
  // A gang is placed as one, and some schedulers say of it as a whole why it is not.
  const { gangScheduler } = observed.cluster
  const gang = model.gang !== undefined && gangScheduler && GANGS[gangScheduler].group?.tellsWhy
  // Those an elastic one would like to have besides wait for themselves.
  const runs = underWay && standingOf(observed.cluster.gangScheduler, observed.podGroup)?.placed
  const held = replicas.flatMap(({ place, pod, look }) => {
    const speaks = look.is === 'pending' || (look.is === 'unplaced' && (!gang || runs))
    const holdUp = speaks ? holdUpOf(pod) : undefined
    return holdUp ? [{ ...holdUp, key: place.key }] : []
  })
  const first = held.find(({ reason }) => reason !== 'Unschedulable') ?? held.find(({ echo }) => !echo) ?? held[0]
  if (!first) return undefined
  // In a gang it is chance which of the pods is told the cause.
  const alike = held.filter(({ message, echo }) => message === first.message || echo).map(({ key }) => key)
  const names = `${nameSome(alike)}: `
  const message = `${names}${first.message}`
  // Between two attempts neither the kubelet nor the scheduler of a gang repeats the cause.
  const told = before.conditions?.find(({ type, status }) => type === 'HeldUp' && status === 'True')?.message
  return { reason: first.reason, message: told?.startsWith(first.echo ? names : message) ? told : message }
}

/** Nodes of its pods that are gone or silent. Told until all is well again: which of them is dealt with first is chance. */
function nodeTrouble({ nodes }: Observed, before: JobStatus, replicas: readonly Replica[]): Situation['nodeTrouble'] {
  const found = replicas.flatMap(({ pod, entry }) => (isFinal(entry) ? [] : (nodeTroubleOf(pod, nodes) ?? [])))
  const [first] = found
  if (!first) return undefined
  const told = before.conditions?.find(({ type, status }) => type === 'NodeTrouble' && status === 'True')
  const messages = new Set([...(told?.message?.split('; ') ?? []), ...found.map(({ message }) => message)])
  return { reason: told?.reason ?? first.reason, message: [...messages].sort().join('; ') }
}

function nameSome(names: readonly string[]): string {
  const rest = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${rest}`
}

function waitingFor(replicas: readonly Replica[], status: JobStatus): string | undefined {
  if (replicas.length === 0) return undefined
  const missing = replicas.filter(({ entry, look }) => !isFinal(entry) && (isOwed(entry) || look.is !== 'running'))
  if (missing.length === 0) return undefined
  const postponed = missing.find(({ entry }) => entry.restartAt !== undefined)
  const until = postponed ? `; ${postponed.place.key} is started again at ${postponed.entry.restartAt}` : ''
  const names = nameSome(missing.map(({ place }) => place.key))
  const doing = status.phase === 'Running' ? 'being started again' : 'awaited'
  const verb = missing.length > 1 ? 'are' : 'is'
  return `${replicas.length - missing.length} of ${replicas.length} replicas run or have ended; ${names} ${verb} ${doing}${until}.`
}

/** A replica whose last outcome is a failure and that has not run since. */
function lastFailure(replicas: readonly Replica[], before: JobStatus): Situation['failure'] {
  const failed = replicas.find(({ entry }) => entry.phase === 'Failed')
  if (failed) return { pod: failed.place.podName, exitCode: exitCodeOf(failed) }
  // Its new pod is there but does not run yet: the old one's failure still stands.
  const told = before.conditions?.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True')?.message
  const [, pod, code] = /^Pod\[(.*)\] (?:failed|exited with error code (\d+))$/.exec(told ?? '') ?? []
  const restarted = replicas.find(({ place }) => place.podName === pod)
  if (!restarted || restarted.look.is === 'running' || isFinal(restarted.entry)) return undefined
  return { pod: restarted.place.podName, exitCode: code === undefined ? undefined : Number(code) }
}

function exitCodeOf({ entry, look, place }: Replica): number | undefined {
  if (look.is === 'ended') return look.exitCode
  const name = place.role.template?.spec?.containers[place.role.trainingContainer]?.name
  return entry.containers?.find((container) => container.name === name)?.exitCode
}
