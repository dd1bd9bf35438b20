// Creates what a decision wants to exist. A name that is taken is looked at: ours and alive is done, ours and Terminating
// is waited for, somebody else's is reported and never touched.
import type { KubeObject } from '../../api/types.ts'
import type { Action, CreatedKind, Trouble } from '../../core/decision.ts'
import type { Answer, Request } from './cluster.ts'
import { type Pass, type Steps, wakeBy } from './pass.ts'

type Create = Extract<Action, { verb: 'create' }>

/** True if everything wanted exists now. */
export function* createAll(pass: Pass, creates: Create[]): Steps<boolean> {
  const { refused, cache } = pass.memory
  refused.keepOnly(new Set(creates.map((create) => `${create.kind}/${nameOf(create)}`)))
  const due = withFirstPodAhead(withoutThoseThatMustWait(pass, creates))
  const firstAlone = due.length > 1 && due[0]?.kind === 'Pod'
  let complete = due.filter(isNeeded).length === creates.filter(isNeeded).length
  if (due.length > 0) {
    const requests = due.map(({ kind, object }): Request => ({ verb: 'create', kind, object }))
    const answers = yield { requests, firstAlone, stopsCreating }
    const taken: Create[] = []
    for (const [i, create] of due.entries()) {
      const answer = answers[i]
      if (answer?.done) {
        refused.settle(create.kind, nameOf(create))
        if (answer.object) cache.put(create.kind, answer.object)
      } else if (answer?.refusal === 'AlreadyExists') {
        taken.push(create)
      } else {
        if (isNeeded(create)) complete = false
        if (answer) report(pass, create, 'Refused', refusalOf(create, answer.message))
      }
    }
    if (!(yield* lookAtNamesakes(pass, taken))) complete = false
    // A Service that is ours after all stopped the pods behind it.
    if (answers.includes(undefined) && refused.nextRetry === undefined) pass.again = true
  }
  wakeBy(pass, refused.nextRetry)
  return complete
}

function withoutThoseThatMustWait(pass: Pass, creates: Create[]): Create[] {
  const due: Create[] = []
  for (const create of creates) {
    if (!pass.memory.refused.mustWait(create.kind, nameOf(create), pass.now)) due.push(create)
    // Pods without the Service that gives them their names would only fail.
    else if (create.kind === 'Service') break
  }
  return due
}

/**
 * The first pod, the master's, is sent before all else, and alone: on its way with the others it would come later by half, and
 * under a quota they could take its place. Its Service follows at once and is there long before a container runs; a PodGroup
 * is not overtaken, since the scheduler looks for it as soon as it sees a pod.
 */
function withFirstPodAhead(creates: Create[]): Create[] {
  const first = creates.findIndex(({ kind }) => kind === 'Pod')
  if (first < 0 || creates.some(({ kind }) => kind === 'PodGroup')) return creates
  return [creates[first]!, ...creates.toSpliced(first, 1)]
}

function* lookAtNamesakes(pass: Pass, creates: Create[]): Steps<boolean> {
  if (creates.length === 0) return true
  const requests = creates.map((create): Request => ({ verb: 'get', kind: create.kind, name: nameOf(create) }))
  const answers = yield { requests }
  let complete = true
  for (const [i, create] of creates.entries())
    if (!judgeNamesake(pass, create, answers[i]) && isNeeded(create)) complete = false
  return complete
}

function judgeNamesake(pass: Pass, create: Create, answer: Answer | undefined): boolean {
  const name = nameOf(create)
  if (!answer?.done || !answer.object) {
    // Gone between the two requests: its name is free now.
    if (!answer || answer.done || answer.refusal === 'NotFound') pass.again = true
    else wakeBy(pass, pass.memory.backOff(pass.now))
    return false
  }
  if (!isOurs(answer.object, pass.job.uid)) {
    report(
      pass,
      create,
      'NameTaken',
      `${create.kind} ${name} exists already and is not this job's; it is left alone and waited for`,
    )
    return false
  }
  pass.memory.refused.settle(create.kind, name)
  if (!pass.memory.cache.put(create.kind, answer.object)) pass.again = true
  return answer.object.metadata.deletionTimestamp === undefined
}

/** TFJob users know Kubeflow's words. */
function refusalOf(create: Create, message: string): string {
  const isTFJob = create.object.metadata.ownerReferences?.some((owner) => owner.kind === 'TFJob')
  return isTFJob ? `Error creating: ${message}` : `${create.kind} ${nameOf(create)} could not be created: ${message}`
}

function report(pass: Pass, create: Create, reason: Trouble['reason'], message: string): void {
  const news = pass.memory.refused.add({ kind: create.kind, name: nameOf(create), reason, message }, pass.now)
  if (news) pass.reasons.push(news)
}

function stopsCreating(request: Request, answer: Answer): boolean {
  // Sent together with them: the job is not what it seemed.
  if (request.verb === 'updateStatus') return !answer.done
  if (request.verb !== 'create' || answer.done || !isNeeded(request)) return false
  return request.kind === 'Service' || answer.refusal !== 'AlreadyExists'
}

/** A TensorBoard never decides or delays anything. */
function isNeeded({ kind }: { kind: CreatedKind }): boolean {
  return kind !== 'TensorBoard'
}

function isOurs(object: KubeObject, jobUid: string): boolean {
  return (object.metadata.ownerReferences ?? []).some((owner) => owner.controller === true && owner.uid === jobUid)
}

function nameOf(create: Create): string {
  return create.object.metadata.name ?? ''
}
