// Carries a decision out, step by step: yields what to send, is told the answers, and says when to look again. It does
// nothing itself, so the operator can drive it over the network and a rehearsal in virtual time.
import type { Decision, Reason } from '../../core/decision.ts'
import type { Instant } from '../../lib/time.ts'
import type { Answer, Request } from './cluster.ts'
import { createAll } from './create-all.ts'
import type { JobMemory } from './job-memory.ts'
import { type JobAtHand, type Pass, type Steps, sendAlong, wakeBy } from './pass.ts'

export interface Outcome {
  /** Something was not as it had seemed: decide again as soon as the cache has caught up. */
  again: boolean
  /** When to look again if nothing happens. */
  wakeAt?: Instant
  /** Reasons that are news, also those for which no event was recorded. */
  told: Reason[]
  /** What became of the status: nothing is missing, it is to be stored later, or it could not be. */
  status: 'stored' | 'deferred' | 'refused'
}

/** What a decision says of its creations; not to be said when some were refused. */
const CREATION_EVENTS = new Set(['NewReplica', 'SuccessfulCreatePod'])

export function* carryOut(job: JobAtHand, decision: Decision, memory: JobMemory, now: Instant): Steps<Outcome> {
  const pass: Pass = { job, memory, now, again: false, reasons: [] }
  wakeBy(pass, decision.wakeAt)
  const creates = decision.actions.filter((action) => action.verb === 'create')
  // Where no status is stored yet, none but the first deeds go without one.
  const urgent = decision.changed && (decision.urgent || (job.lacksStatus === true && decision.actions.length > 0))
  const together = urgent && job.isNewborn === true
  const later = together && job.statusMayWait === true && creates.length > 0
  // The journal before the deeds it licenses; if it cannot be written there are none.
  if (urgent && !together && !(yield* writeStatus(pass, decision)))
    return { again: pass.again, wakeAt: pass.wakeAt, told: [], status: 'refused' }
  yield* deleteAndPatch(pass, decision)
  const creating = createAll(pass, creates)
  let status: Outcome['status'] = 'stored'
  let complete: boolean
  if (together && !later) {
    const [answer, created] = yield* sendAlong(statusRequest(pass, decision), creating)
    if (!noteStatus(pass, answer)) status = 'refused'
    complete = created
  } else complete = yield* creating
  const reasons = complete ? decision.reasons : decision.reasons.filter((reason) => !CREATION_EVENTS.has(reason.event))
  const phaseBound = reasons.filter((reason) => reason.phase)
  const told = memory.said.filterNew([...reasons.filter((reason) => !reason.phase), ...pass.reasons])
  if (!decision.changed) memory.statusIsStored()
  else if (later || !urgent) status = yield* writeStatusInTime(pass, decision)
  if (status === 'stored') told.push(...memory.held.release(phaseBound, decision.phase))
  else memory.held.hold(phaseBound)
  const loud = told.filter((reason) => !reason.quiet)
  const events = loud.slice(0, memory.said.takeTokens(loud.length, now))
  if (events.length > 0) yield { requests: events.map((reason): Request => ({ verb: 'recordEvent', reason })) }
  return { again: pass.again, wakeAt: pass.wakeAt, told, status }
}

function* writeStatus(pass: Pass, decision: Decision): Steps<boolean> {
  const [answer] = yield { requests: [statusRequest(pass, decision)] }
  return noteStatus(pass, answer)
}

function statusRequest({ job }: Pass, { status }: Decision): Request {
  return { verb: 'updateStatus', resourceVersion: job.resourceVersion, status }
}

function noteStatus(pass: Pass, answer: Answer | undefined): boolean {
  const { memory, now } = pass
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
function* writeStatusInTime(pass: Pass, decision: Decision): Steps<Outcome['status']> {
  const writeAt = pass.memory.mayWriteStatusAt(pass.now, pass.job.replicas, decision.worth ?? 'count')
  if (pass.now >= writeAt) return (yield* writeStatus(pass, decision)) ? 'stored' : 'refused'
  wakeBy(pass, writeAt)
  return 'deferred'
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
