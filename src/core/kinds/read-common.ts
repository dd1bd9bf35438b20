// What the kinds' readers have in common: identity, run mode, queue, policies.
import { jobHash } from '../../api/names.ts'
import { cleanUpPolicyOf, isOn, queueOf } from '../../api/spellings.ts'
import type { KubeObject, RunMode, RunPolicy, SchedulerPolicy } from '../../api/types.ts'
import { fromTimestamp } from '../../lib/time.ts'
import type { JobModel, Role, Rule, Slot } from '../job-model.ts'
import { slotKey } from '../slots.ts'

/** The exit codes that ExitCode restarts: signals from outside, and 138, by which a program asks for it. */
const RETRYABLE = new Set([130, 137, 138, 143])
export const isRetryable = (exitCode: number): boolean => RETRYABLE.has(exitCode)

const DEFAULT_BACKOFF_LIMIT = 3
const DEBUG_COMMAND = ['sleep', 'inf']

type Identity = Pick<
  JobModel,
  'apiVersion' | 'name' | 'namespace' | 'uid' | 'generation' | 'createdAt' | 'deleting' | 'hash' | 'waitForPeers'
>

export function readIdentity(object: KubeObject): Identity {
  const { metadata } = object
  const name = metadata.name ?? ''
  const uid = metadata.uid ?? ''
  return {
    apiVersion: object.apiVersion,
    name,
    namespace: metadata.namespace ?? 'default',
    uid,
    generation: metadata.generation ?? 0,
    createdAt: fromTimestamp(metadata.creationTimestamp) ?? 0,
    deleting: metadata.deletionTimestamp !== undefined,
    hash: jobHash(name, uid),
    waitForPeers: metadata.annotations?.['trainyard.dev/wait-for-peers'] === 'true',
  }
}

type Policies = Pick<
  JobModel,
  | 'anyFailureFails'
  | 'backoffLimit'
  | 'restartScope'
  | 'retryable'
  | 'activeDeadlineSeconds'
  | 'ttlSecondsAfterFinished'
  | 'cleanUp'
  | 'paused'
  | 'debug'
>

/** What the TensorFlow and PyTorch kinds say alike. */
export function readPolicies(runPolicy: RunPolicy | undefined, runMode: RunMode | undefined): Policies {
  return {
    anyFailureFails: false,
    backoffLimit: runPolicy?.backoffLimit ?? DEFAULT_BACKOFF_LIMIT,
    restartScope: runPolicy?.restartScope ?? 'Replica',
    retryable: isRetryable,
    activeDeadlineSeconds: runPolicy?.activeDeadlineSeconds,
    ttlSecondsAfterFinished: runPolicy?.ttlSecondsAfterFinished,
    cleanUp: cleanUpPolicyOf(runPolicy?.cleanUpPolicy),
    paused: isOn(runMode?.pause),
    debug: isOn(runMode?.debug),
  }
}

/** Debug and resume settings of one replica type. Entries for types the job does not have reach nobody. */
export function readRunMode(runMode: RunMode | undefined, type: string): Pick<Role, 'debug' | 'resume'> {
  const debug = runMode?.debug?.replicaSpecs?.find((entry) => entry.type === type)
  const resume = runMode?.pause?.resumeSpecs?.find((entry) => entry.type === type)
  return {
    debug: isOn(runMode?.debug)
      ? { command: debug?.command ?? DEBUG_COMMAND, skipInitContainer: debug?.skipInitContainer ?? false }
      : undefined,
    resume: resume && {
      command: resume.command,
      args: resume.args,
      skipInitContainer: resume.skipInitContainer ?? false,
    },
  }
}

export function readGang(
  scheduler: SchedulerPolicy | undefined,
  defaultPriority: number,
  minMember: number,
): JobModel['gang'] {
  const queue = queueOf(scheduler)
  if (queue === undefined) return undefined
  return { queue, priority: scheduler?.t9kScheduler?.priority ?? defaultPriority, minMember }
}

/** The rule of the kinds that one replica decides. */
export function ruleOfOne(slot: Slot): Rule {
  return { slots: [slot], text: slotKey(slot) }
}
