import type { Pod, Service } from '../../gen/kubernetes-types.ts'
import type { JobPhase, KubeObject } from '../api/types.ts'
import type { Instant } from '../lib/time.ts'
import type { GangScheduler } from './gangs.ts'

/** What the cluster looks like to the engine; only objects, and only those of this job (plus its nodes). */
export interface Observed {
  /** The job's status, in the kind's own shape: as stored, or ahead of it by what is yet to be stored. */
  status: unknown
  /** As stored, where `status` is ahead of it. */
  stored?: unknown
  pods: readonly Pod[]
  services: readonly Service[]
  podGroup?: KubeObject
  tensorboard?: KubeObject
  /** Nodes of the job's pods by name; a name that is missing is a node that is gone. */
  nodes: ReadonlyMap<string, NodeState>
  cluster: ClusterFacts
  /** What the last attempts to carry decisions out ran into. */
  troubles?: readonly Trouble[]
}

/** An object that could not be created; it is tried again. */
export interface Trouble {
  kind: CreatedKind
  name: string
  /** NameTaken: an object of that name belongs to somebody else. Refused: quota, admission or permissions. */
  reason: 'NameTaken' | 'Refused'
  message: string
}

export interface NodeState {
  ready: boolean
  outOfService: boolean
}

/** What is true for the whole cluster and for the operator's configuration. */
export interface ClusterFacts {
  /** The one that places gangs; absent: there is none. */
  gangScheduler?: GangScheduler
  tensorboards: boolean
  /** `cluster.local`, where known: then short names of peers resolve too. */
  domain?: string
  /** TFJob: put behind `.svc` in TF_CONFIG, for clusters whose pods do not search their own domain. */
  customClusterDomain?: string
  /** Seconds after the grace period when a pod stuck on a NotReady node is force-deleted; 0: never. */
  forceDeleteAfter: number
}

export type CreatedKind = 'Pod' | 'Service' | 'PodGroup' | 'TensorBoard'

export type Action =
  | { verb: 'create'; kind: CreatedKind; object: KubeObject; replica?: string }
  | { verb: 'delete'; kind: CreatedKind; name: string; uid: string; force?: boolean; replica?: string }
  | { verb: 'patch'; kind: CreatedKind; name: string; uid: string; patch: object }
  | { verb: 'deleteJob'; uid: string }

/** Why something was done or is waited for, in words for a user. Becomes an event and a line of the timeline. */
export interface Reason {
  /** `job` or a replica: `worker-1`. */
  object: string
  type: 'Normal' | 'Warning'
  /** One word in CamelCase, the event's reason. */
  event: string
  message: string
  /** For timelines only: not worth an event on the cluster. */
  quiet?: true
  /** Told when a status of this phase is stored; if none ever is, it was too short to tell. */
  phase?: JobPhase
  /** The same for a timeline, where they differ: one plain word, and a shorter text. */
  word?: string
  short?: string
}

/** Another phase, other counts or conditions, or something that hardly anybody looks at. */
export type Worth = 'turn' | 'count' | 'detail'

export interface Decision {
  /** The kind's own status, complete. */
  status: object
  phase?: JobPhase
  /** It differs from the stored one. */
  changed: boolean
  /** What it says must be stored before any action is carried out, and at once. */
  urgent: boolean
  /** If it is not urgent: what the difference is worth. */
  worth?: Worth
  /**
   * The job or some of its replicas succeed while others still run, and nothing has to be done about it: those will end too,
   * more likely soon than late.
   */
  leavesRunning?: true
  actions: Action[]
  /** When to look again if nothing happens. */
  wakeAt?: Instant
  reasons: Reason[]
}
