/** One request of a case. `{ns}` stands for a namespace of the case's own. */
export interface Step {
  /** `POST /api/v1/namespaces/{ns}/pods` */
  call: string
  body?: unknown
  /** Content type; short words for the patch types. */
  type?: string
  headers?: Record<string, string>
  /** The request is a watch; so many events are taken. */
  events?: number
  /** Done while the watch is open, once the first `opened` events have come. */
  during?: Step[]
  opened?: number
  /** What is answered is not compared: the step only prepares the next ones. */
  unseen?: boolean
  /** Ask again until the answer has this status code: for what happens by and by. */
  until?: number
  /** The same for a watch: until its first event is of this type. */
  untilEvent?: string
}

export interface Case {
  area: Area
  name: string
  steps: Step[]
}

export type Area = 'write' | 'patch' | 'apply' | 'list' | 'watch' | 'delete' | 'crd' | 'errors'

export const area =
  (area: Area) =>
  (name: string, ...steps: Step[]): Case => ({ area, name, steps })

const PATCHES: Record<string, string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

export const get = (path: string, headers?: Record<string, string>): Step => ({
  call: `GET ${path}`,
  ...(headers ? { headers } : {}),
})
export const post = (path: string, body: unknown): Step => ({ call: `POST ${path}`, body })
export const put = (path: string, body: unknown): Step => ({ call: `PUT ${path}`, body })
export const patch = (kind: string, path: string, body: unknown): Step => ({
  call: `PATCH ${path}`,
  body,
  type: PATCHES[kind] ?? kind,
})
export const apply = (path: string, manager: string, body: unknown, more = ''): Step =>
  patch('apply', `${path}?fieldManager=${manager}${more}`, body)
export const del = (path: string, body?: unknown): Step => ({
  call: `DELETE ${path}`,
  ...(body === undefined ? {} : { body }),
})
export const watch = (path: string, events: number): Step => ({ call: `GET ${path}`, events })

/** A watch during which things happen, once so many events have come. */
export const watchWhile = (path: string, events: number, opened: number, ...during: Step[]): Step => ({
  ...watch(path, events),
  opened,
  during,
})
export const quiet = (step: Step): Step => ({ ...step, unseen: true })

export const core = (plural: string, rest = ''): string => `/api/v1/namespaces/{ns}/${plural}${rest}`

// biome-ignore lint/suspicious/noExplicitAny: objects of every kind are made here, wrong ones too
type Any = any

export const configMap = (name: string, more: Any = {}): Any => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...more,
  metadata: { name, ...more.metadata },
})
export const pod = (name: string, spec: Any = {}, metadata: Any = {}): Any => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  // Without the token volume that only a cluster's accounts have.
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'busybox' }], ...spec },
})
export const service = (name: string, spec: Any = {}): Any => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
})
