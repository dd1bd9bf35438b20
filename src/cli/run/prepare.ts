// From files to what is to be created: one job, and what it needs beside it.
import { messageOf } from '../../api/issue.ts'
import { kindOf } from '../../api/kinds.ts'
import { validate } from '../../api/validate.ts'
import type { KubeObject } from '../../kube/index.ts'
import { checkFile, hasErrors } from '../check.ts'
import type { CommandContext } from '../context.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { refuse, sayWithoutJob } from '../jobs.ts'
import { type ManifestFile, readManifests } from '../manifest/manifest.ts'
import { renderClosing, renderFindings } from '../report.ts'
import { UsageError } from '../usage-error.ts'

export interface Prepared {
  /** As the manifest says it. */
  job: AnyJob
  /** With the defaults an API server would give it, and the manifest's name. */
  defaulted: AnyJob
  /** What stands beside it in the files, in their order. */
  companions: KubeObject[]
}

/** Undefined: it has been said why not, and nothing was created. */
export async function prepareRun(
  context: CommandContext,
  files: readonly string[],
  name?: string,
): Promise<Prepared | undefined> {
  return prepareManifests(context, await readManifests(files, context.terminal.stdin), files, name)
}

export async function prepareManifests(
  context: CommandContext,
  manifests: readonly ManifestFile[],
  files: readonly string[],
  name?: string,
): Promise<Prepared | undefined> {
  const { terminal, err } = context
  const checked = manifests.map((file) => ({ file, findings: checkFile(file, false) }))
  for (const { file, findings } of checked) {
    const lines = renderFindings(file, findings, err)
    if (hasErrors(findings)) lines.push(...renderClosing(file, findings, err))
    if (lines.length > 0) terminal.err(`${lines.join('\n')}\n`)
  }
  const all = checked.flatMap(({ findings }) => findings)
  if (hasErrors(all)) return undefined
  const jobs = all.filter(({ job }) => job !== undefined)
  if (jobs.length !== 1) {
    const names = jobs.map(({ manifest }) => manifest.name).join(', ')
    await refuse(
      context,
      jobs.length === 0
        ? sayWithoutJob(files, all)
        : `there are ${jobs.length} jobs in ${files.join(', ')} (${names}); run takes one`,
    )
    return undefined
  }
  const [{ manifest, job: defaulted }] = jobs as [(typeof jobs)[0]]
  const job = renamed(manifest.object as unknown as AnyJob, name)
  const companions = all.flatMap(({ manifest: each }) =>
    each === manifest || !each.object ? [] : [each.object as unknown as KubeObject],
  )
  return { job, defaulted: defaulted as AnyJob, companions: inOrder(companions) }
}

function renamed(job: AnyJob, name: string | undefined): AnyJob {
  if (name === undefined) return job
  const { generateName: _, ...metadata } = job.metadata
  const named = { ...job, metadata: { ...metadata, name } } as AnyJob
  const wrong = validate(named).issues.find(({ severity }) => severity === 'error')
  if (wrong) throw new UsageError(`--name ${name}: ${messageOf(wrong)}`)
  return named
}

/** A namespace has to be there before what lies in it. */
function inOrder(objects: readonly KubeObject[]): KubeObject[] {
  const turn = ({ kind, apiVersion }: KubeObject): number =>
    kind === 'Namespace' ? 0 : kindOf(apiVersion, kind) ? 2 : 1
  return [...objects].sort((a, b) => turn(a) - turn(b))
}
