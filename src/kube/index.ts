// The public door: everything the operator, scheduler, kubelet and CLI need to talk to Kubernetes.
export { type ApiCall, describeCall } from './api-call.ts'
export { abortOf, type Backoff, delayOf, pause } from './backoff.ts'
export { Cache, type Change, withoutManagedFields } from './cache.ts'
export {
  type DeleteOptions,
  type Deletion,
  KubeClient,
  type ListOptions,
  type LogOptions,
  type Patch,
  type WatchOptions,
  type WriteOptions,
} from './client.ts'
export { type Connection, type ConnectionOptions, loadConnection } from './connection.ts'
export { type ElectionOptions, standForElection } from './election.ts'
export {
  ApiError,
  ConfigError,
  ConnectionError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNamespaceEnding,
  isNotFound,
} from './errors.ts'
export { type EventNote, EventRecorder } from './event-recorder.ts'
export { Informer } from './informer.ts'
export * from './resource.ts'
export { fixedToken } from './tokens.ts'
export type { Request, TransportOptions } from './transport.ts'
export { type Priority, WorkQueue } from './work-queue.ts'
