// trainyard debug: a copy of a job in which nothing trains, and a shell in one of its replicas.

import type { Pod } from '../../../gen/kubernetes-types.ts'
import { switchTo } from '../../api/spellings.ts'
import type { RunMode } from '../../api/types.ts'
import { read } from '../../core/read.ts'
import { isAlreadyExists, type KubeClient, type KubeObject, PODS } from '../../kube/index.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, resourceOf } from '../home/running-jobs.ts'
import { Declined } from './declined.ts'
import { deleteJob } from './delete.ts'
import { refuseUnknownReplica, runInPod } from './exec.ts'
import { findJob } from './find-job.ts'
import { leaveOnSignals } from './leave-on-signals.ts'
import { trainingContainerOf } from './log-sources.ts'
import type { ShowContext } from './output-form.ts'
import { tellWhatIsAwaited } from './patience.ts'
import { podsOfJob, replicaOfPod } from './replica-of-pod.ts'
import { describeWaiting } from './waiting-words.ts'
import { waitFor } from './watch-set.ts'

export interface DebugOptions extends ClusterOptions {
  keep?: boolean
}

export async function debugReplica(
  context: ShowContext,
  wanted: string,
  replica: string,
  options: DebugOptions,
): Promise<number> {
  const { terminal, err } = context
  const say = (word: string, text: string): void => terminal.err(`${err.paint('dim', word.padEnd(9))}${text}\n`)
  const { client, namespace } = await connect(context, options)
  try {
    const job = await findJob(client, namespace, wanted)
    const model = read(job)
    refuseUnknownReplica(model, replica)
    const leaving = leaveOnSignals()
    const copy = await create(client, buildDebugCopy(job)).catch((error) => {
      leaving.release()
      throw error
    })
    const { name = '' } = copy.metadata
    try {
      say('debug', `${name} created: a copy of ${model.name} in debug mode; nothing trains, ${model.name} is untouched`)
      const pod = await awaitReplica(context, client, copy, replica, leaving.signal)
      if (!pod) return leaving.code() ?? 1
      say('shell', `${replica} with its directory, environment and peers; the job's command: $TRAINYARD_COMMAND`)
      const shell = ['env', `TRAINYARD_COMMAND=${commandOf(job, replica)}`, `PS1=${replica} $ `, 'sh']
      const container = trainingContainerOf(model, replica)
      await Promise.race([
        runInPod(context, client, pod, { command: shell, container, stdin: true, tty: true }),
        leaving.asked,
      ])
      return leaving.code() ?? 0
    } finally {
      leaving.release()
      if (options.keep) say('debug', `${name} stays; remove it with: trainyard delete ${name}`)
      else {
        await deleteJob(context, client, copy)
        say('debug', `${name} deleted (keep it with --keep)`)
      }
    }
  } finally {
    await client.close()
  }
}

export function buildDebugCopy(job: AnyJob): AnyJob {
  const { name, namespace, labels } = job.metadata
  if (job.kind === 'TFJob') {
    throw new Declined(
      `${name} is a TFJob, which has no debug mode`,
      `look inside while it runs  trainyard exec ${name} …`,
    )
  }
  const { runMode = {}, ...spec } = structuredClone(job.spec) as { runMode?: RunMode }
  const { pause: _, ...modes } = runMode
  return {
    apiVersion: job.apiVersion,
    kind: job.kind,
    metadata: { name: `${name}-debug`, namespace, ...(labels && { labels }) },
    spec: { ...spec, runMode: { ...modes, debug: { ...modes.debug, ...switchTo(modes.debug, true) } } },
  } as unknown as AnyJob
}

async function create(client: KubeClient, copy: AnyJob): Promise<AnyJob> {
  try {
    return await client.create(resourceOf(copy), copy, { fieldManager: 'trainyard' })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const { name } = copy.metadata
    throw new Declined(`${name} exists already`, `remove it  trainyard delete ${name}`)
  }
}

/** Undefined: somebody did not want to wait any longer. */
async function awaitReplica(
  context: ShowContext,
  client: KubeClient,
  job: AnyJob,
  replica: string,
  signal: AbortSignal,
) {
  let waiting = `waiting for ${replica} to start`
  const patience = tellWhatIsAwaited(context, () => waiting)
  try {
    const ofJob = { namespace: job.metadata.namespace, labelSelector: podsOfJob(job.metadata.uid) }
    const look = (pods: Array<Pod & KubeObject>) => {
      const pod = pods.find((each) => replicaOfPod(each) === replica)
      const why = pod && describeWaiting([pod])
      waiting = `waiting for ${replica} to start${why ? `: ${why}` : ''}`
      if (hasEnded(pod))
        throw new Declined(`${replica} of ${job.metadata.name} ended at once; there is nothing to look into`)
      return pod?.status?.phase === 'Running' ? pod : undefined
    }
    return await waitFor(client, PODS, ofJob, look, signal)
  } finally {
    patience.end()
  }
}

const hasEnded = (pod: Pod | undefined): boolean =>
  pod?.status?.phase === 'Failed' || pod?.status?.phase === 'Succeeded'

/** As the manifest has it, so that a shell can run it: with `eval` where its words need quotes. */
export function commandOf(job: AnyJob, replica: string): string {
  const role = read(job).roles.find(({ type }) => type === replica.replace(/-\d+$/, ''))
  const container = role?.template.spec?.containers[role.trainingContainer]
  const words = [...(container?.command ?? []), ...(container?.args ?? [])]
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
