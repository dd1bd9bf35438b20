// trainyard doctor --context: whether a cluster is fit to run jobs, or those of a file.
import { kinds } from '../../api/kinds.ts'
import { read } from '../../core/read.ts'
import { type Checked, checkFile, hasErrors } from '../check.ts'
import type { CommandContext } from '../context.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type Check, renderChecks } from '../job-commands/doctor-view.ts'
import { readManifests } from '../manifest/manifest.ts'
import { renderData } from '../output/data.ts'
import { renderClosing, renderFindings } from '../report.ts'
import { type Asked, examineCluster, examineNames } from './examine-cluster.ts'
import { examineImages, examineVolumes } from './examine-manifest.ts'
import { examineScheduler } from './examine-scheduler.ts'
import { examineTrainyard } from './examine-trainyard.ts'

export interface ClusterDoctorOptions extends ClusterOptions {
  filename?: string[]
}

export async function examineTheCluster(
  context: CommandContext,
  options: ClusterDoctorOptions,
  version: string,
): Promise<number> {
  const { terminal, format, out } = context
  const checked = options.filename ? await readChecked(context, options.filename) : []
  if (!checked) return 1
  const { client, namespace, context: name } = await connect(context, options)
  try {
    const jobs = checked.flatMap(({ job }) => job ?? [])
    const ours = kinds.filter((kind) => kind.job).map(({ kind }) => kind)
    const asked: Asked = {
      client,
      where: name ?? client.connection.server,
      flags: options.context ? `--context ${options.context}` : `--kubeconfig ${options.kubeconfig}`,
      namespace: jobs[0]?.metadata.namespace ?? namespace,
      version,
      kinds: jobs.length > 0 ? [...new Set(jobs.map(({ kind }) => kind))] : ours,
    }
    const wantsGang = jobs.length === 0 || jobs.some((job) => read(job).gang)
    const checks: Array<Check | undefined> = [
      await examineCluster(asked),
      ...(await examineTrainyard(asked)),
      ...(wantsGang ? [await examineScheduler(asked)] : []),
      await examineNames(asked),
      ...(jobs.length > 0 ? [examineImages(checked), await examineVolumes(checked, client, asked.namespace)] : []),
    ]
    const told = checks.filter((check) => check !== undefined)
    terminal.out(format ? await renderData({ checks: told }, format) : `${renderChecks(told, out).join('\n')}\n`)
    return told.some(({ status }) => status === 'problem') ? 1 : 0
  } finally {
    await client.close()
  }
}

/** Undefined: it has been said what is wrong with them. */
async function readChecked(
  { terminal, err }: CommandContext,
  files: readonly string[],
): Promise<Checked[] | undefined> {
  const all = (await readManifests(files, terminal.stdin)).map((file) => ({ file, checked: checkFile(file, false) }))
  for (const { file, checked } of all.filter((each) => hasErrors(each.checked))) {
    const lines = [...renderFindings(file, checked, err), ...renderClosing(file, checked, err)]
    terminal.err(`${lines.join('\n')}\n`)
  }
  return all.some(({ checked }) => hasErrors(checked)) ? undefined : all.flatMap(({ checked }) => checked)
}
