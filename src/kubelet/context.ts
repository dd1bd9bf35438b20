import type { HomeDirectory } from './home-directory.ts'
import type { ObjectReader, PodStatusSink } from './interfaces.ts'
import type { Cgroups } from './limits/cgroups.ts'
import type { LogClock } from './logs/log-clock.ts'
import type { PortBook } from './peers/port-book.ts'
import type { NamespaceTools } from './volumes/namespace.ts'

/** What all pods of a kubelet share. */
export interface KubeletContext {
  home: HomeDirectory
  sink: PodStatusSink
  objects: ObjectReader
  ports: PortBook
  logs: LogClock
  /** Hears of what went wrong and is tried again. */
  onError(where: string, error: unknown): void
  /** Undefined where the machine does not let us make any. */
  cgroups?: Cgroups
  /** How many processes and threads a pod may have, where control groups can count them; 0: as many as it likes. */
  processLimit: number
  /** What every program finds in its environment. */
  baseEnvironment: Record<string, string>
  /** How long the first restart of a container in its pod waits. */
  restartDelay: number
  /** What makes volumes appear at their mountPath; undefined where it cannot be done and texts that name it are changed. */
  namespaceTools(): NamespaceTools | undefined
}
