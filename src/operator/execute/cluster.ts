// What the executor asks of a cluster, and what it may hear. One job at a time: whoever implements it knows which.
import type { KubeObject } from '../../api/types.ts'
import type { CreatedKind, Reason } from '../../core/decision.ts'

export type Request =
  /** Refused with Conflict unless the job still has this resourceVersion. */
  | { verb: 'updateStatus'; resourceVersion: string; status: object }
  | { verb: 'create'; kind: CreatedKind; object: KubeObject }
  | { verb: 'get'; kind: CreatedKind; name: string }
  /** Refused with Conflict if the object of that name has another uid. */
  | { verb: 'delete'; kind: CreatedKind; name: string; uid: string; force: boolean }
  | { verb: 'patch'; kind: CreatedKind; name: string; uid: string; patch: object }
  | { verb: 'deleteJob'; uid: string }
  | { verb: 'recordEvent'; reason: Reason }

export type Refusal = 'Conflict' | 'AlreadyExists' | 'NotFound' | 'Forbidden' | 'Invalid' | 'ServerError'

export type Answer =
  /** `object`: as it is stored now; absent after a delete: nothing is left of it. */
  { done: true; object?: KubeObject } | { done: false; refusal: Refusal; message: string }

export interface Cluster {
  /** Never rejects: a broken connection is a ServerError. */
  send(request: Request): Promise<Answer>
}

/** Requests that may be under way at the same time, sent in this order. */
export interface Batch {
  requests: Request[]
  /** The first is answered before the others are sent. */
  firstAlone?: boolean
  /** After such an answer no further `create` of the batch is sent. */
  stopsCreating?: (request: Request, answer: Answer) => boolean
}

/** Per request; undefined: it was not sent. */
export type Answers = Array<Answer | undefined>
