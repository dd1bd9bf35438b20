// The jobs in the files a command was given, or the reasons why there is nothing to go on with.
import type { TrainingJob } from '../api/types.ts'
import { type Checked, checkFile, hasErrors } from './check.ts'
import type { CommandContext } from './context.ts'
import { readManifests } from './manifest/manifest.ts'
import { renderData } from './output/data.ts'
import { printable, wrap } from './output/text.ts'
import { errorData, renderClosing, renderFindings } from './report.ts'

/** Errors are reported here, as validate does; undefined then. Warnings go to standard error. */
export async function readJobs(
  context: CommandContext,
  files: readonly string[],
): Promise<{ jobs: TrainingJob[]; without: string } | undefined> {
  const { terminal, format, err } = context
  const checkedFiles = (await readManifests(files, terminal.stdin)).map((file) => ({
    file,
    checked: checkFile(file, false),
  }))
  const all = checkedFiles.flatMap(({ checked }) => checked)
  for (const { file, checked } of checkedFiles) {
    const failed = hasErrors(checked)
    if (failed && format) continue
    const lines = renderFindings(file, checked, err)
    if (failed) lines.push(...renderClosing(file, checked, err))
    if (lines.length > 0) terminal.err(`${lines.join('\n')}\n`)
  }
  if (hasErrors(all)) {
    if (format) terminal.out(await renderData(errorData(all), format))
    return undefined
  }
  const jobs = all.flatMap(({ job }) => (job ? [job] : []))
  return { jobs, without: sayWithoutJob(files, all) }
}

/** The answer is no, for reasons that have no place in a file. */
export async function refuse(context: CommandContext, ...messages: string[]): Promise<void> {
  const { terminal, format } = context
  const errors = messages.map((message) => ({ path: '', line: 0, column: 0, message }))
  if (format) terminal.out(await renderData({ errors }, format))
  else for (const message of messages) notice(context, message)
}

export function notice({ terminal, err }: CommandContext, message: string): void {
  terminal.err(`${wrap(printable(`trainyard: ${message}`), err.width).join('\n')}\n`)
}

export function sayWithoutJob(files: readonly string[], checked: readonly Checked[]): string {
  const kinds = [...new Set(checked.map(({ manifest }) => manifest.kind))]
  return `there is no job in ${files.join(', ')}${kinds.length > 0 ? `, only ${kinds.join(', ')}` : ''}`
}
