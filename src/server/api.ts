import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ApiObject } from './object.ts'
import type { Registry } from './resources/registry.ts'
import type { Store } from './store/store.ts'

/** What only the one who runs pods can answer. Registered from outside; without it these requests get a 503. */
export interface PodBackend {
  log?(pod: ApiObject, query: URLSearchParams, res: ServerResponse): Promise<void>
  exec?(pod: ApiObject, query: URLSearchParams, req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  attach?: PodBackend['exec']
  portforward?: PodBackend['exec']
  /**
   * What is kept of logs, also of pods that are gone: `<uid of the owner>` lists them, with `<uid of the pod>` and
   * `<container>` it is one of them. Not part of Kubernetes' API, so there is nothing there without it.
   */
  keptLogs?(namespace: string, path: readonly string[], query: URLSearchParams, res: ServerResponse): Promise<void>
}

/** Everything a request handler works with. */
export interface Api {
  store: Store
  registry: Registry
  now(): number
  pods: PodBackend
}

export interface WriteOptions {
  dryRun: boolean
  manager: string
  fieldValidation: 'Strict' | 'Warn' | 'Ignore'
  /** Keys that stood twice in the body. */
  duplicates: readonly string[]
  /** The same of a body in YAML: one line for each. */
  repeated?: readonly string[]
  /** What is odd about a patch itself, in full. */
  remarks?: readonly string[]
  /** Filled on the way; sent as Warning headers. */
  warnings: string[]
}
