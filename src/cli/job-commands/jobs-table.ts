import type { Instant } from '../../lib/time.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { type Column, renderTable } from '../output/table.ts'
import type { Style } from '../output/terminal.ts'
import { colourOfPhase, summariseJob } from './job-summary.ts'
import { spellAge, spellDuration } from './spell-duration.ts'

export interface TableOptions {
  /** From all namespaces, so each says where it is. */
  namespaces: boolean
  /** Of each job by uid: the names of its pods, or nothing. */
  pods?: ReadonlyMap<string, readonly string[]>
}

/** As wide as the longest kind, so that one job stands where it stands among many. */
const columns: Column[] = [
  { header: 'NAME', minimum: 13 },
  { header: 'KIND', minimum: 'TensorFlowTrainingJob'.length },
  { header: 'PHASE', minimum: 'Succeeded'.length },
  { header: 'RUNNING', align: 'right' },
  { header: 'RESTARTS', align: 'right' },
  { header: 'DURATION', align: 'right' },
  { header: 'AGE', align: 'right' },
]

export function renderJobs(
  jobs: readonly AnyJob[],
  style: Style,
  now: Instant,
  { namespaces, pods }: TableOptions,
): string[] {
  const rows = jobs.map((job) => {
    const summary = summariseJob(job, now)
    const { name, namespace, kind, phase, running, total, restarts, duration, age } = summary
    const cells = [name, kind, phase, `${running}/${total}`, `${restarts}`, spellDuration(duration), spellAge(age)]
    return {
      phase,
      cells: [
        ...(namespaces ? [namespace] : []),
        ...cells,
        ...(pods ? [(pods.get(job.metadata.uid ?? '') ?? []).join(',') || '-'] : []),
      ],
    }
  })
  const all = [...(namespaces ? [{ header: 'NAMESPACE' }] : []), ...columns, ...(pods ? [{ header: 'PODS' }] : [])]
  const ageWidth = Math.max(3, ...rows.map(({ cells }) => cells[all.length - 1]?.length ?? 0))
  // The last column of a table is never padded, but ages are numbers.
  if (!pods) {
    all[all.length - 1] = { header: 'AGE'.padStart(ageWidth) }
    for (const { cells } of rows) cells[cells.length - 1] = cells.at(-1)!.padStart(ageWidth)
  }
  const [header, ...lines] = renderTable(
    all,
    rows.map(({ cells }) => cells),
    style,
  )
  // Names and kinds are spelled so that the first match is the phase itself.
  return [
    header!,
    ...lines.map((line, i) => line.replace(rows[i]!.phase, (phase) => style.paint(colourOfPhase(phase), phase))),
  ]
}
