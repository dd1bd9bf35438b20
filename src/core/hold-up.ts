// What keeps a pod from running, in words: no node takes it, its image cannot be had, or it cannot be started.
import type { ContainerStatus, Pod } from '../../gen/kubernetes-types.ts'
import { describeExit } from './exit-words.ts'

export interface HoldUp {
  /** One word in CamelCase, for a condition and an event. */
  reason: 'Unschedulable' | 'ImageNotPulled' | 'CannotStart'
  message: string
  /** Others of its gang are held up, and they say by what. */
  echo?: true
}

/** Reasons of the kubelet that are about images; the first two take turns while the pull is tried again. */
const IMAGE =
  /^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|ImageInspectError|RegistryUnavailable)$/
/** On its way, and nothing in it. */
const CALM = /^(ContainerCreating|PodInitializing)$/

export function holdUpOf(pod: Pod | undefined): HoldUp | undefined {
  const scheduled = pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status === 'False') {
    const message = spellUnschedulable(scheduled.message || scheduled.reason || 'no node has room')
    return { reason: 'Unschedulable', message, ...(message.endsWith(WITHOUT_THE_OTHERS) && { echo: true }) }
  }
  const all = [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])]
  for (const status of all) {
    const { reason = '', message } = status.state?.waiting ?? {}
    if (IMAGE.test(reason)) return { reason: 'ImageNotPulled', message: spellImage(status, reason, message ?? '') }
    if (reason === 'CrashLoopBackOff') return { reason: 'CannotStart', message: spellCrash(status) }
    if (message || (reason && !CALM.test(reason)))
      return { reason: 'CannotStart', message: spellUnschedulable(message || reason) }
  }
  return undefined
}

/** The registry's long answers come in many forms; what they mean are a few things. */
function spellImage({ image = '' }: ContainerStatus, reason: string, message: string): string {
  if (reason === 'InvalidImageName') return `${image} is not the name of an image`
  if (reason === 'ErrImageNeverPull') return `image ${image} is not on the node, and imagePullPolicy is Never`
  return `image ${image} cannot be pulled${causeOf(message)}`
}

function causeOf(message: string): string {
  if (/not found|manifest unknown|does not exist|NAME_UNKNOWN/i.test(message)) return ': there is no such image'
  if (/unauthorized|denied|authenticat|forbidden|\b40[13]\b/i.test(message)) return ': the registry refuses access'
  if (/no such host|timeout|timed out|refused|unreachable|network|EOF|i\/o/i.test(message)) {
    return ': the registry cannot be reached'
  }
  return ''
}

/** The kubelet says only how long it waits before it tries again, and each time another time. */
function spellCrash({ name, lastState }: ContainerStatus): string {
  const { exitCode, reason, message } = lastState?.terminated ?? {}
  if (reason === 'StartError' && message) return `container ${name} cannot start: ${message}`
  return `container ${name} ends again and again: ${describeExit(exitCode)}`
}

const WITHOUT_THE_OTHERS = 'without room for the rest of its gang'

const PROBLEMS: readonly [RegExp, (...parts: string[]) => string][] = [
  [/^Insufficient (.+)$/, (what) => `too little ${what}`],
  [
    /^node\(s\) had (?:untolerated taints? )?\{(.*)\}(?:, that the pod didn't tolerate)?$/,
    (taint) => spellTaint(taint!),
  ],
  [/^node\(s\) had untolerated taint\(s\)$/, () => 'tainted'],
  [/^node\(s\) didn't match Pod's node affinity\/selector$/, () => 'not selected'],
  [/^node\(s\) were unschedulable$/, () => 'cordoned'],
  [/^node\(s\) didn't have free ports for the requested pod ports$/, () => 'without the port free'],
  [/^node\(s\) had volume node affinity conflict$/, () => 'without the volume'],
  [/^Too many pods$/, () => 'full of pods'],
  // What coscheduling says of pods that would have fitted.
  [/^(?:optimistic rejection in PostFilter|rejection in Unreserve)$/, () => WITHOUT_THE_OTHERS],
  [/^node\(s\) (.+)$/, (what) => what],
]

/** kube-scheduler's `0/6 nodes are available: 4 Insufficient memory, …` as `0/6 nodes fit: 4 too little memory, …`. */
export function spellUnschedulable(message: string): string {
  const [, claim] = /persistentvolumeclaim "([^"]+)" not found/.exec(message) ?? []
  if (claim) return `the claim ${claim} does not exist`
  const match = /^(\d+\/\d+) nodes are available: (.*?)\.(?: (?:preemption|no new claims): .*)?$/s.exec(message.trim())
  if (!match) return message
  const [, count, problems = ''] = match
  const words = splitProblems(problems).map((problem) => {
    const [, n, what = ''] = /^(\d+) (.*)$/s.exec(problem) ?? []
    if (n === undefined) return problem
    for (const [pattern, spell] of PROBLEMS) {
      const parts = pattern.exec(what)
      if (parts) return `${n} ${spell(...parts.slice(1))}`
    }
    return problem
  })
  return `${count} nodes fit: ${words.join(', ')}`
}

/** Between problems stands `, ` and a count; taints and sentences have commas of their own. */
function splitProblems(text: string): string[] {
  return text.split(/, (?=\d+ )/)
}

function spellTaint(taint: string): string {
  return `tainted ${taint.replace(/: ?/, '=').replace(/=$/, '')}`
}
