// A rehearsal's script as it is written, and as the simulation plays it.

/** `1s`, `1m30s`, `500ms`, `24h`. */
export type Duration = string

export interface Behaviour {
  /** From the pod's creation. */
  scheduleAfter?: Duration
  /** From its placement. */
  startAfter?: Duration
  /** From its start, anew for each attempt; `never` for what waits to be stopped. */
  exitAfter?: Duration
  exitCode?: number
}

export type ScriptEvent = { at: Duration } & (
  | { replica: string; exit: number; container?: string }
  | { replica: string; evict: true }
  | { replica: string; delete: true }
  | { node: 'lost'; replicas: string[] }
  | { pause: boolean }
  | { scale: number }
  | { patch: object }
  | { controller: 'crash' }
  | { garbageCollect: string }
  | { capacity: number }
)

export interface Script {
  defaults?: Behaviour
  replicas?: Record<string, Behaviour>
  events?: ScriptEvent[]
  until?: Duration
}

/** In milliseconds; Infinity: never. */
export interface PlayedBehaviour {
  scheduleAfter: number
  startAfter: number
  exitAfter: number
  exitCode: number
}

export type Deed =
  | { do: 'exit'; replica: string; exitCode: number; container?: string }
  | { do: 'evict' | 'delete' | 'garbageCollect'; replica: string }
  | { do: 'loseNode'; replicas: string[] }
  | { do: 'pause'; on: boolean }
  | { do: 'scale'; replicas: number }
  | { do: 'patch'; patch: object }
  | { do: 'crash' }
  | { do: 'capacity'; pods: number }

export interface Play {
  defaults: PlayedBehaviour
  replicas: ReadonlyMap<string, PlayedBehaviour>
  /** In order of time. */
  deeds: Array<{ at: number; deed: Deed }>
  until: number
}
