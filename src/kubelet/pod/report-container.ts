import { readLastWords } from '../logs/last-words.ts'
import { readMessage } from '../volumes/termination-message.ts'
import type { ContainerReport } from './build-status.ts'
import { type RunView, viewRun } from './container-runs.ts'
import type { PodContainer } from './pod-container.ts'

/** What a container's status is made of. */
export function reportOf(container: PodContainer): ContainerReport {
  const { spec, role, runs, waiting, probes } = container
  const view = reportedView(container)
  const former = runs.length > 1 ? viewRun(runs.at(-2)!) : undefined
  return {
    name: spec.name,
    image: spec.image ?? '',
    role,
    runs: runs.length,
    view,
    ...(former?.kind === 'ended' && { before: former.end }),
    ...(waiting && { waiting }),
    started: probes?.started ?? view?.kind === 'running',
    ready: probes?.ready ?? false,
  }
}

/** With what the program left as its message, or where that is wanted the end of what a failed one wrote. */
function reportedView(container: PodContainer): RunView | undefined {
  const { spec, view } = container
  // A kubelet too calls it running only after its hook.
  if (view?.kind === 'running' && container.isHeld) return { kind: 'starting' }
  if (view?.kind !== 'ended' || view.end.message) return view
  const wantsLog = spec.terminationMessagePolicy === 'FallbackToLogsOnError' && view.end.exitCode !== 0
  const message = readMessage(container.directory) ?? (wantsLog ? readLastWords(container.logPath()) : undefined)
  return message === undefined ? view : { ...view, end: { ...view.end, message } }
}
