// trainyard logs: what all replicas wrote, in all attempts, as one stream.
import type { JobModel } from '../../core/job-model.ts'
import { read } from '../../core/read.ts'
import { type KubeClient, PODS } from '../../kube/index.ts'
import type { CommandContext } from '../context.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, isFinished, resourceOf } from '../home/running-jobs.ts'
import { UsageError } from '../usage-error.ts'
import { BatchedWriter } from './batched-writer.ts'
import { explainNoLogs } from './explain-no-logs.ts'
import { findJob } from './find-job.ts'
import { type LogSource, listKeptLogs, listLogSources, trainingContainerOf } from './log-sources.ts'
import { LineMerger, readTimedLines, type TimedLine } from './merge-lines.ts'
import { namesOfReplicas, podsOfJob } from './replica-of-pod.ts'
import { labelOf, paintReplica } from './replica-prefix.ts'
import { waitFor, watchSet } from './watch-set.ts'

export interface LogsOptions extends ClusterOptions {
  follow?: boolean
  replica?: string
  attempt?: string
  tail?: string
  timestamps?: boolean
  prefix: boolean
  container?: string
}

/** While following, lines of one time may arrive this far apart. */
const PATIENCE = 250

export async function showLogs(context: CommandContext, name: string, options: LogsOptions): Promise<number> {
  const attempt = countOf('--attempt', options.attempt, 1)
  const tailLines = countOf('--tail', options.tail, 0)
  const { client, namespace } = await connect(context, options)
  try {
    const job = await findJob(client, namespace, name)
    const model = read(job)
    const list = async (): Promise<LogSource[]> => {
      const all = await listLogSources(client, job, namesOfReplicas(model))
      return all.filter((source) => isWanted(source, model, options, attempt))
    }
    const sources = await list()
    if (sources.length === 0 && !options.follow) {
      const all = await listLogSources(client, job, namesOfReplicas(model))
      const kept = (await listKeptLogs(client, job)) !== undefined
      const state = { finished: isFinished(job), kept }
      context.terminal.err(`${explainNoLogs(model, all, { ...options, attempt }, state)}\n`)
      return 0
    }
    const writer = new BatchedWriter(writerOf(context))
    if (options.replica !== undefined && !options.prefix && !options.timestamps && !options.follow) {
      for (const source of sources) {
        for await (const chunk of source.open({ tailLines })) await writer.write(chunk)
      }
      await writer.flush()
      return 0
    }
    const merger = new LineMerger<LogSource>(options.follow ? PATIENCE : undefined)
    const known = new Set<string>()
    const labels = namesOfReplicas(model).replicas
    let width = options.replica?.length ?? Math.max(0, ...labels.map((label) => label.length))
    const add = (found: readonly LogSource[]): void => {
      for (const source of found.filter(({ id }) => !known.has(id))) {
        known.add(source.id)
        width = Math.max(width, labelOf(source.replica, source.attempt).length)
        merger.add(source, readTimedLines(source.open({ tailLines, timestamps: true, follow: options.follow })))
      }
    }
    add(sources)
    const following = options.follow ? addNewcomers(client, job, list, add) : Promise.resolve()
    const ended = following.finally(() => merger.close())
    // Whichever ends first with an error is told; the other is of no interest then.
    ended.catch(() => {})
    for await (const { label, line } of merger.lines())
      await writer.write(renderLine(context, label, line, width, options))
    await writer.flush()
    await ended
    return 0
  } finally {
    await client.close()
  }
}

/** Until the job has ended: pods that come later have logs, too. */
async function addNewcomers(
  client: KubeClient,
  job: AnyJob,
  list: () => Promise<LogSource[]>,
  add: (sources: readonly LogSource[]) => void,
): Promise<void> {
  const { name, namespace, uid } = job.metadata
  const done = new AbortController()
  const looking = (async () => {
    for await (const _pods of watchSet(client, PODS, { namespace, labelSelector: podsOfJob(uid) }, done.signal)) {
      add(await list())
    }
  })().catch((error: unknown) => {
    if (!done.signal.aborted) throw error
  })
  const itself = { namespace, fieldSelector: `metadata.name=${name}` }
  const ending = waitFor(
    client,
    resourceOf(job),
    itself,
    (items) => {
      const now = items.find((each) => each.metadata.uid === uid)
      return !now || isFinished(now) ? true : undefined
    },
    done.signal,
  )
  try {
    await Promise.race([ending, looking])
    add(await list())
  } finally {
    done.abort()
    await looking.catch(() => {})
  }
}

export function renderLine(
  { out }: Pick<CommandContext, 'out'>,
  { replica, rank, attempt }: Pick<LogSource, 'replica' | 'rank' | 'attempt'>,
  { time, bytes, ended }: TimedLine,
  width: number,
  { timestamps, prefix }: { timestamps?: boolean; prefix: boolean },
): Uint8Array {
  const stamp = timestamps && time ? `${new Date(time).toISOString()} ` : ''
  const label = prefix ? `${paintReplica(out, rank, `${labelOf(replica, attempt).padEnd(width)} |`)} ` : ''
  return Buffer.concat([Buffer.from(stamp + label), bytes, Buffer.from(ended || stamp || label ? '\n' : '')])
}

function isWanted(
  { replica, attempt, container }: LogSource,
  model: JobModel,
  options: LogsOptions,
  wantedAttempt: number | undefined,
): boolean {
  if (options.replica !== undefined && replica !== options.replica) return false
  if (wantedAttempt !== undefined && attempt !== wantedAttempt) return false
  return container === (options.container ?? trainingContainerOf(model, replica) ?? container)
}

function writerOf({ terminal }: CommandContext): (bytes: Uint8Array) => Promise<void> {
  return terminal.bytes ?? (async (bytes) => terminal.out(Buffer.from(bytes).toString()))
}

function countOf(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new UsageError(`${option} ${text}: a number from ${least} on`)
  return Number(text)
}
