// trainyard rehearse: a job in virtual time, with the real engine and whatever the script has in store for it.
import type { TrainingJob } from '../api/types.ts'
import { parseScript, RehearsalError, rehearse, renderRehearsal, type Script } from '../rehearse/rehearse.ts'
import type { CommandContext } from './context.ts'
import { readJobs, refuse } from './jobs.ts'
import { decodeManifest } from './manifest/decode.ts'
import { Lines } from './manifest/positions.ts'
import { readSources } from './manifest/sources.ts'
import { renderData } from './output/data.ts'
import { type FindingData, renderFinding } from './report.ts'
import { UsageError } from './usage-error.ts'

interface Choice {
  script?: string
  job?: string
  namespace?: string
}

export async function rehearseFiles(
  context: CommandContext,
  files: readonly string[],
  choice: Choice,
): Promise<number> {
  const { terminal, format, out } = context
  // The script first: a file that does not exist is a wrong command line, whatever the manifest may say.
  const source = choice.script === undefined ? undefined : await readScriptSource(context, choice.script)
  const found = await readJobs(context, files)
  const job = found && (await chooseJob(context, found, choice.job))
  if (!job) return 1
  const script = source ? await readScript(context, source, job) : {}
  if (!script) return 1
  const start = performance.now()
  try {
    const result = rehearse(inNamespace(job, choice.namespace), script)
    if (format) {
      const { phase, status, timeline, replicas, objects } = result
      terminal.out(await renderData({ phase, status, timeline, replicas, objects }, format))
    } else {
      const took = performance.now() - start
      terminal.out(renderRehearsal(result, { width: out.width, colour: out.coloured, unicode: out.utf8, took }))
    }
    return 0
  } catch (error) {
    if (!(error instanceof RehearsalError)) throw error
    await refuse(context, ...error.problems)
    return 1
  }
}

function inNamespace(job: TrainingJob, namespace: string | undefined): TrainingJob {
  if (namespace === undefined) return job
  return { ...job, metadata: { namespace, ...job.metadata } }
}

async function chooseJob(
  context: CommandContext,
  { jobs, without }: { jobs: readonly TrainingJob[]; without: string },
  name: string | undefined,
): Promise<TrainingJob | undefined> {
  const names = jobs.map((job) => job.metadata.name ?? '')
  if (name === undefined && jobs.length > 1) {
    await refuse(
      context,
      `there are ${jobs.length} jobs, ${names.join(', ')}, and a rehearsal is of one: say which with --job`,
    )
    return undefined
  }
  const job = name === undefined ? jobs[0] : jobs.find((candidate) => candidate.metadata.name === name)
  if (!job) await refuse(context, jobs.length > 0 ? `the files have no job ${name}, only ${names.join(', ')}` : without)
  return job
}

interface ScriptSource {
  file: string
  text: string
  problem?: FindingData
}

async function readScriptSource({ terminal }: CommandContext, name: string): Promise<ScriptSource> {
  const [source, ...more] = await readSources([name], terminal.stdin)
  if (!source || more.length > 0) throw new UsageError(`--script takes one file, and ${name} is a directory`)
  const decoded = decodeManifest(source.bytes, source.size)
  if (!('message' in decoded)) return { file: source.file, text: decoded.text }
  const { line, column } = new Lines(decoded.text).position(decoded.offset)
  return { file: source.file, text: '', problem: { path: '', line, column, message: decoded.message } }
}

async function readScript(
  context: CommandContext,
  source: ScriptSource,
  job: TrainingJob,
): Promise<Script | undefined> {
  const { terminal, format, err } = context
  const parsed = source.problem ? { errors: [source.problem] } : parseScript(source.text, source.file, job)
  if ('script' in parsed) return parsed.script
  if (format) {
    terminal.out(await renderData({ errors: parsed.errors.map((error) => ({ ...error, file: source.file })) }, format))
    return undefined
  }
  for (const { path, line, column, message } of parsed.errors) {
    terminal.err(
      `${renderFinding(source.file, { severity: 'error', path, message, position: { line, column } }, err).join('\n')}\n`,
    )
  }
  return undefined
}
