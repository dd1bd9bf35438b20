// Carries a decision out, step by step: yields what to send, is told the answers, and says when to look again. It does
// nothing itself, so the operator can drive it over the network and a rehearsal in virtual time.
import type { Decision, Reason } from '../../core/decision.ts'
import type { Instant } from '../../lib/time.ts'
import type { Answer, Request } from './cluster.ts'
import { createAll } from './create-all.ts'
import type { JobMemory } from './job-memory.ts'
import { type JobAtHand, type Pass, type Steps, wakeBy } from './pass.ts'

export interface Outcome {
  /** Something was not as it had seemed: decide again as soon as the cache has caught up. */
  again: boolean
  /** When to look again if nothing happens. */
  wakeAt?: Instant
  /** Reasons that are news, also those for which no event was recorded. */
  told: Reason[]
}

/** What a decision says of its creations; not to be said when some were refused. */
const CREATION_EVENTS = new Set(['NewReplica', 'SuccessfulCreatePod'])

export function* carryOut(job: JobAtHand, decision: Decision, memory: JobMemory, now: Instant): Steps<Outcome> {
  const pass: Pass = { job, memory, now, again: false, reasons: [] }
  wakeBy(pass, decision.wakeAt)
  if (decision.changed && decision.urgent) {
    // The journal before the deeds it licenses; if it cannot be written there are none.
    if (!(yield* writeStatus(pass, decision))) return { again: pass.again, wakeAt: pass.wakeAt, told: [] }
  }
  yield* deleteAndPatch(pass, decision)
  const complete = yield* createAll(
    pass,
    decision.actions.filter((action) => action.verb === 'create'),
  )
  const reasons = complete ? decision.reasons : decision.reasons.filter((reason) => !CREATION_EVENTS.has(reason.event))
  const told = memory.said.filterNew([...reasons, ...pass.reasons])
  if (decision.changed && !decision.urgent) yield* writeStatusInTime(pass, decision)
  const loud = told.filter((reason) => !reason.quiet)
  const events = loud.slice(0, memory.said.takeTokens(loud.length, now))
  if (events.length > 0) yield { requests: events.map((reason): Request => ({ verb: 'recordEvent', reason })) }
  return { again: pass.again, wakeAt: pass.wakeAt, told }
}

function* writeStatus(pass: Pass, decision: Decision): Steps<boolean> {
  const { memory, now, job } = pass
  const { resourceVersion } = job
  const [answer] = yield { requests: [{ verb: 'updateStatus', resourceVersion, status: decision.status }] }
  if (answer?.done) {
    memory.statusWritten(now, answer.object)
    return true
  }
  if (answer?.refusal === 'Conflict') pass.again = true
  // A job that is gone needs nothing more; the watch says so.
  else if (answer?.refusal !== 'NotFound') wakeBy(pass, memory.backOff(now))
  return false
}

/** While nothing terminal happens a status is worth few writes. */
function* writeStatusInTime(pass: Pass, decision: Decision): Steps<void> {
  const writeAt = pass.memory.mayWriteStatusAt(pass.job.replicas)
  if (pass.now < writeAt) wakeBy(pass, writeAt)
  else yield* writeStatus(pass, decision)
}

function* deleteAndPatch(pass: Pass, decision: Decision): Steps<void> {
  const requests = decision.actions.flatMap((action): Request[] => {
    if (action.verb === 'create') return []
    if (action.verb === 'deleteJob') return [{ verb: 'deleteJob', uid: action.uid }]
    const { kind, name, uid } = action
    if (action.verb === 'patch') return [{ verb: 'patch', kind, name, uid, patch: action.patch }]
    return [{ verb: 'delete', kind, name, uid, force: action.force ?? false }]
  })
  if (requests.length === 0) return
  const answers = yield { requests }
  for (const [i, request] of requests.entries()) noteAnswer(pass, request, answers[i])
}

function noteAnswer(pass: Pass, request: Request, answer: Answer | undefined): void {
  const { cache } = pass.memory
  if (!answer) return
  if (answer.done && answer.object) {
    if (request.verb === 'deleteJob') cache.putJob(answer.object)
    else if ('kind' in request) cache.put(request.kind, answer.object)
  } else if (answer.done || answer.refusal === 'NotFound') {
    if (request.verb === 'deleteJob') cache.removeJob(request.uid)
    else if (request.verb === 'delete' || request.verb === 'patch')
      cache.remove(request.kind, request.name, request.uid)
  } else if (answer.refusal === 'Conflict') {
    // Another object bears the name by now.
    pass.again = true
  } else {
    wakeBy(pass, pass.memory.backOff(pass.now))
  }
}
