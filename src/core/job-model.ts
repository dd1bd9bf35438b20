// What the engine knows of a job: the four kinds, read into one shape. Nothing here comes from the cluster.
import type { PodTemplateSpec, ServicePort } from '../../gen/kubernetes-types.ts'
import type { Issue } from '../api/issue.ts'
import type { JobKind, RestartPolicy, TensorBoardSpec } from '../api/types.ts'
import type { Instant } from '../lib/time.ts'

/** One replica, by the type as it is written in lower case for names (`worker`) and its index. */
export interface Slot {
  type: string
  index: number
}

export interface Role {
  /** In names and labels: `worker`. */
  type: string
  /** As the manifest writes it: `Worker` for a TFJob, else the same as `type`. */
  label: string
  replicas: number
  restartPolicy: RestartPolicy
  /** GenericJob: restarts each replica may have. */
  limitPerReplica?: number
  template: PodTemplateSpec
  /** Index of the container whose end is the replica's end. */
  trainingContainer: number
  /** TFJob: a failed replica of this role does not fail the job (enableDynamicWorker). */
  mayFail?: boolean
  /** Debug mode: what to run instead, and whether init containers are left out. */
  debug?: { command: string[]; skipInitContainer: boolean }
  /** After a pause: what differs from the template. */
  resume?: { command?: string[]; args?: string[]; skipInitContainer: boolean }
}

/** Satisfied when every slot is. A list of rules is satisfied when one of them is. */
export interface Rule {
  slots: Slot[]
  /** As the user wrote it, for messages: `{"worker":["0"]}`. */
  text: string
}

/** What a framework expects to find in its containers. */
export type Environment =
  | { framework: 'tensorflow' }
  | {
      framework: 'pytorch'
      torchrun?: { maxRestarts?: number; procPerNode?: string; rdzvBackend: string; extraOptions: string[] }
    }
  | { framework: 'generic'; service?: { ports: ServicePort[] } }
  | { framework: 'tfjob'; edition: 'v1beta2' | 'v1'; dynamicWorkers: boolean }

export interface JobModel {
  kind: JobKind
  apiVersion: string
  name: string
  namespace: string
  uid: string
  generation: number
  createdAt: Instant
  /** The job itself is being deleted: nothing is created any more. */
  deleting: boolean
  /** Five hex digits of FNV-1a 64 over name and uid; part of the T9k kinds' names. */
  hash: string
  /** In order of rank. */
  roles: Role[]
  /** The one replica that decides the job, where there is one; carries the label job-role. */
  master?: Slot
  success: Rule[]
  failure: Rule[]
  /** TFJob: any replica that failed for good fails the job, and so does a restart beyond the budget. */
  anyFailureFails: boolean
  /** Restarts for the whole job; absent: unlimited, or counted per replica. */
  backoffLimit?: number
  restartScope: 'Replica' | 'Job'
  /** Exit codes that ExitCode restarts. */
  retryable: (exitCode: number) => boolean
  activeDeadlineSeconds?: number
  ttlSecondsAfterFinished?: number
  cleanUp: 'All' | 'Unfinished' | 'None'
  paused: boolean
  debug: boolean
  gang?: { queue: string; priority: number; minMember: number; priorityClass?: string }
  elastic?: { min: number; max: number; expected: number }
  tensorboard?: TensorBoardSpec
  waitForPeers: boolean
  environment: Environment
  /** Another controller looks after it (TFJob managedBy): hands off. */
  managedByOther: boolean
  /** What makes the job impossible; it fails with reason InvalidSpec and nothing is created. */
  problems: Issue[]
  /** What is doubtful: said once in an event. */
  warnings: Issue[]
}
