// The job kinds as they stand in manifests and in the API, in the seeds' spellings and the accepted others.
import type {
  ObjectMeta,
  ObjectReference,
  PodTemplateSpec,
  ResourceRequirements,
  ServicePort,
} from '../../gen/kubernetes-types.ts'

export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never' | 'ExitCode'

/** A switch that the seeds spell `enable` and later manuals `enabled`. */
export interface Switch {
  enable?: boolean
  enabled?: boolean
}

export interface ReplicaDebugSet {
  type: string
  skipInitContainer?: boolean
  command?: string[]
}

export interface ResumeSpec {
  type: string
  skipInitContainer?: boolean
  command?: string[]
  args?: string[]
}

export interface RunMode {
  debug?: Switch & { replicaSpecs?: ReplicaDebugSet[] }
  pause?: Switch & { resumeSpecs?: ResumeSpec[] }
}

export interface RunPolicy {
  activeDeadlineSeconds?: number
  backoffLimit?: number
  cleanUpPolicy?: string
  ttlSecondsAfterFinished?: number
  restartScope?: 'Replica' | 'Job'
}

export interface SchedulerPolicy {
  t9kScheduler?: { queue?: string; Queue?: string; priority?: number }
}

export interface TensorBoardSpec {
  trainingLogFilesets?: string[]
  logDir?: {
    pvc?: Array<{ name: string; subPath?: string | string[]; subpath?: string | string[] }>
    s3?: { secretRef?: { name?: string }; uri?: string[] }
    http?: { url?: string[] }
  }
  image?: string
  suspend?: boolean
  runMode?: string
  scheduler?: SchedulerPolicy
  resources?: ResourceRequirements
}

export interface TrainingReplicaSpec {
  type: string
  replicas?: number
  template: PodTemplateSpec
  restartPolicy?: RestartPolicy
}

export interface TensorFlowTrainingJobSpec {
  replicaSpecs: TrainingReplicaSpec[]
  tensorboardSpec?: TensorBoardSpec
  runPolicy?: RunPolicy
  scheduler?: SchedulerPolicy
  runMode?: RunMode
}

export interface PyTorchTrainingJobSpec {
  replicaSpecs: Array<TrainingReplicaSpec & { scalingWeight?: number }>
  tensorboardSpec?: TensorBoardSpec
  runPolicy?: RunPolicy
  scheduler?: SchedulerPolicy
  runMode?: RunMode
  elastic?: Switch & { minReplicas?: number; maxReplicas?: number; expectedReplicas?: number }
  torchrunConfig?: Switch & {
    maxRestarts?: number
    procPerNode?: number | string
    rdzvBackend?: string
    extraOptions?: string[]
    minNodes?: number
  }
}

export type FinishedRule = Record<string, Array<number | string>>

export interface GenericReplicaSpec {
  type: string
  replicas?: number
  template: PodTemplateSpec
  restartPolicy?: { policy?: 'Always' | 'OnFailure' | 'Never'; limit?: number }
}

export interface GenericJobSpec {
  successRules: FinishedRule[]
  failureRules: FinishedRule[]
  service?: { ports?: ServicePort[] }
  runMode?: RunMode
  cleanUpPolicy?: string
  scheduler?: SchedulerPolicy
  replicasSpec?: GenericReplicaSpec[]
  replicaSpecs?: GenericReplicaSpec[]
  ttlSecondsAfterFinished?: number
  restartScope?: 'Replica' | 'Job'
  /** Old manifests put it here; see spec.cleanUpPolicy. */
  runPolicy?: { cleanUpPolicy?: string }
}

export interface TFReplicaSpec {
  replicas?: number
  template: PodTemplateSpec
  restartPolicy?: RestartPolicy
}

export interface TFJobPolicies {
  activeDeadlineSeconds?: number
  backoffLimit?: number
  cleanPodPolicy?: string
  ttlSecondsAfterFinished?: number
}

export interface TFJobSpec extends TFJobPolicies {
  tfReplicaSpecs: Record<string, TFReplicaSpec>
  runPolicy?: TFJobPolicies & {
    suspend?: boolean
    managedBy?: string
    restartScope?: 'Replica' | 'Job'
    schedulingPolicy?: {
      minAvailable?: number
      queue?: string
      minResources?: Record<string, number | string>
      priorityClass?: string
      scheduleTimeoutSeconds?: number
    }
  }
  successPolicy?: '' | 'AllWorkers'
  enableDynamicWorker?: boolean
  edition?: 'v1beta2' | 'v1'
}

export interface JobCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastTransitionTime?: string
  /** TFJob only. */
  lastUpdateTime?: string
}

export interface ContainerState {
  name: string
  state: 'Waiting' | 'Running' | 'Terminated'
  exitCode?: number
}

export type ReplicaPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'

export interface ReplicaStatus {
  /** The pod's name. */
  name: string
  uid?: string
  phase: ReplicaPhase
  containers?: ContainerState[]
  /** How often this replica was restarted; absent while zero. */
  restartCount?: number
  /** The uid of the pod whose restart has been granted; equal to `uid` while its successor is owed. */
  replaces?: string
  /** Which pod of this replica is meant, or owed; absent: the first. A pod that says less has been dealt with. */
  attempt?: number
  /** Restarts and losses in a row, without ten minutes of running in between: they set the delay. */
  setbacks?: number
  /** No new pod before this. */
  restartAt?: string
  /** Since when the pod has been running. */
  runningSince?: string
}

export interface TaskStatus {
  type: string
  restartCount?: number
  replicaStatus: ReplicaStatus[]
}

export interface Aggregate {
  creating: number
  pending: number
  running: number
  succeeded: number
  failed: number
  unknown: number
  deleted: number
}

/** What became of an object the job brought along: the TensorBoard. */
export interface DependentStatus {
  name: string
  action: string
  dependent?: ObjectReference
  note: string
  ready: boolean
  reason: string
  type: 'Normal' | 'Warning'
}

export type FinishedBy = 'Success' | 'Failure' | 'BackoffLimit' | 'Deadline' | 'InvalidSpec'

export type JobPhase = 'Pending' | 'Running' | 'Paused' | 'Resuming' | 'Succeeded' | 'Failed' | 'Unknown'

/** The status of the three batch.tensorstack.dev kinds; TFJob keeps the same under `status.trainyard`. */
export interface JobStatus {
  phase?: JobPhase
  conditions?: JobCondition[]
  tasks?: TaskStatus[]
  aggregate?: Aggregate
  backoffCount?: number
  tensorboard?: DependentStatus
  startTime?: string
  completionTime?: string
  observedGeneration?: number
  /** The deadline's clock: seconds run before `activeSince`, and since when it runs now. */
  activeSeconds?: number
  activeSince?: string
  /** For the scale subresource of PyTorchTrainingJob. */
  replicas?: number
  selector?: string
  /** The job has left a pause: resumeSpecs shape its pods, and it is Resuming rather than Pending. */
  resumed?: boolean
  /** Every replica has run or ended at the same time since the job was started or resumed. */
  underWay?: boolean
  /** What ended the job; decides which pods go. */
  finishedBy?: FinishedBy
}

export interface TFJobStatus {
  conditions?: JobCondition[] | null
  replicaStatuses?: Record<string, { active?: number; succeeded?: number; failed?: number; selector?: string }> | null
  startTime?: string
  completionTime?: string
  lastReconcileTime?: string
  trainyard?: JobStatus
}

export interface TensorBoardStatus {
  /** Pending, Running, Paused or Failed. */
  phase?: string
  pod?: { reference?: { name?: string; uid?: string }; phase?: string }
  conditions?: Array<JobCondition & { lastProbeTime?: string }>
  url?: string
}

export type TensorBoard = KubeObject & { spec: TensorBoardSpec; status?: TensorBoardStatus }
export type TensorFlowTrainingJob = KubeObject & { spec: TensorFlowTrainingJobSpec; status?: JobStatus }
export type PyTorchTrainingJob = KubeObject & { spec: PyTorchTrainingJobSpec; status?: JobStatus }
export type GenericJob = KubeObject & { spec: GenericJobSpec; status?: JobStatus }
export type TFJob = KubeObject & { spec: TFJobSpec; status?: TFJobStatus }
export type TrainingJob = TensorFlowTrainingJob | PyTorchTrainingJob | GenericJob | TFJob

export type JobKind = 'TensorFlowTrainingJob' | 'PyTorchTrainingJob' | 'GenericJob' | 'TFJob'
