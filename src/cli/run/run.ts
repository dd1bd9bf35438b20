// trainyard run: from a manifest to the job's result.
import { isNotFound } from '../../kube/index.ts'
import { fromTimestamp } from '../../lib/time.ts'
import type { CommandContext } from '../context.ts'
import { type Cluster, type ClusterOptions, connect } from '../home/connect.ts'
import { homeDirectory } from '../home/home-state.ts'
import { type AnyJob, recordOf, resourceOf } from '../home/running-jobs.ts'
import type { Started } from '../home/start-home.ts'
import { Declined } from '../job-commands/declined.ts'
import type { Timeout } from '../timeout.ts'
import { describeJob, environmentNote, runtimeNote } from './announce.ts'
import { decideStart } from './decide-start.ts'
import { deleteAndWait } from './delete-job.ts'
import { applyObject, findResource } from './find-resource.ts'
import { catchInterrupts, type Interrupts } from './interrupts.ts'
import type { Prepared } from './prepare.ts'

export interface RunOptions extends ClusterOptions {
  replace?: boolean
  rm?: boolean
  detach?: boolean
  timeout?: Timeout
}

const NO = 1

/** `again`: the command line without --replace and --name, for hints. */
export async function runJob(
  context: CommandContext,
  prepared: Prepared,
  options: RunOptions,
  home: Promise<Started> | undefined,
  again: string,
): Promise<number> {
  const cluster = await connect(asOneStream(context), options, home)
  try {
    const start = await createOrFind(context, cluster, prepared, options, again)
    if (typeof start === 'number') return start
    const { followToTheEnd } = await import('./follow-to-the-end.ts')
    return await followToTheEnd(context, cluster, start, { ...options, home: homeOf(context, cluster) })
  } finally {
    await cluster.client.close()
  }
}

/** Where standard output is none, standard error speaks plainly too. */
function asOneStream(context: CommandContext): CommandContext {
  const { terminal } = context
  return { ...context, terminal: { ...terminal, errIsTerminal: terminal.errIsTerminal && terminal.outIsTerminal } }
}

function homeOf({ terminal }: CommandContext, cluster: Cluster): string | undefined {
  return cluster.context === undefined ? homeDirectory(terminal.env) : undefined
}

export interface Begun {
  job: AnyJob
  /** When its clock began to run. */
  at: number
  attached: boolean
  /** Caught from the moment on at which there is a job to leave alone. */
  interrupts: Interrupts
}

async function createOrFind(
  context: CommandContext,
  cluster: Cluster,
  prepared: Prepared,
  options: RunOptions,
  again: string,
): Promise<Begun | number> {
  const { terminal } = context
  const { client } = cluster
  const namespace = prepared.job.metadata.namespace ?? cluster.namespace
  const resource = (await findResource(client, prepared.job.apiVersion, prepared.job.kind))!
  const there = await lookUp(cluster, prepared.job, namespace)
  const start = decideStart(prepared.defaulted, there, options.replace ?? false, Date.now())
  if (start.do === 'refuse') {
    terminal.err(`trainyard: ${start.because}\n`)
    const name = `${prepared.job.metadata.name}-2`
    terminal.err(`  run it anew        ${again} --replace\n  under a new name   ${again} --name ${name}\n`)
    return NO
  }
  if (start.do === 'attach') {
    const at = fromTimestamp(recordOf(start.job).startTime ?? start.job.metadata.creationTimestamp) ?? Date.now()
    const interrupts = catchInterrupts()
    describeJob(context, cluster, start.job, 'is there already; going on with it', Date.now() - at)
    return { job: start.job, at, attached: true, interrupts }
  }
  if (start.do === 'replace') await deleteAndWait(context, client, start.old)
  for (const companion of prepared.companions) {
    const problem = await applyObject(client, companion, namespace)
    if (problem === undefined) continue
    terminal.err(`trainyard: ${companion.kind} ${companion.metadata.name}: ${problem}\n`)
    return NO
  }
  const object = { ...prepared.job, metadata: { ...prepared.job.metadata, namespace } } as AnyJob
  let job: AnyJob
  const interrupts = catchInterrupts()
  try {
    const created = client.create(resource, object, { fieldManager: 'trainyard' })
    // What follows the job is read while the job is made.
    setImmediate(() => import('./follow-to-the-end.ts'))
    job = (await created) as AnyJob
  } catch (error) {
    interrupts.release()
    // Nothing is looked up by name here: it is the kind or the namespace that is not there.
    if (!isNotFound(error)) throw error
    throw noPlaceFor(object.kind, namespace, cluster.context)
  }
  if (cluster.context === undefined) {
    environmentNote(context)
    runtimeNote(context, job)
  }
  describeJob(context, cluster, job, 'created')
  return { job, at: Date.now(), attached: false, interrupts }
}

/** The home knows all kinds. */
function noPlaceFor(kind: string, namespace: string, cluster: string | undefined): Declined {
  if (cluster !== undefined)
    return new Declined(`${cluster} does not know the kind ${kind}, or has no namespace ${namespace}`)
  const manifest = `{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`
  return new Declined(`the home has no namespace ${namespace}`, `make it  echo '${manifest}' | trainyard apply -f -`)
}

async function lookUp({ client }: Cluster, job: AnyJob, namespace: string): Promise<AnyJob | undefined> {
  const { name } = job.metadata
  if (!name) return undefined
  try {
    return await client.get(resourceOf(job), { namespace, name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
