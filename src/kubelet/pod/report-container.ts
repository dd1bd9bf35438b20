import { readLastWords } from '../logs/last-words.ts'
import type { ContainerReport } from './build-status.ts'
import { type RunView, viewRun } from './container-runs.ts'
import type { PodContainer } from './pod-container.ts'

/** What a container's status is made of. */
export function reportOf(container: PodContainer): ContainerReport {
  const { spec, role, runs, waiting, probes } = container
  const view = withLastWords(container)
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

function withLastWords(container: PodContainer): RunView | undefined {
  const { spec, view } = container
  const wanted = spec.terminationMessagePolicy === 'FallbackToLogsOnError'
  if (!wanted || view?.kind !== 'ended' || view.end.exitCode === 0 || view.end.message) return view
  return { ...view, end: { ...view.end, message: readLastWords(container.logPath()) } }
}
