// trainyard exec: a command in a replica's environment and directory.

import { StringDecoder } from 'node:string_decoder'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import type { JobModel } from '../../core/job-model.ts'
import { read } from '../../core/read.ts'
import { execInPod } from '../../kube/exec.ts'
import { type KubeClient, type KubeObject, PODS } from '../../kube/index.ts'
import type { CommandContext } from '../context.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { slotRanges } from '../plan/ranges.ts'
import { UsageError } from '../usage-error.ts'
import { Declined } from './declined.ts'
import { findJob } from './find-job.ts'
import { trainingContainerOf } from './log-sources.ts'
import { namesOfReplicas, podsOfJob, replicaOfPod } from './replica-of-pod.ts'

export interface ExecJobOptions extends ClusterOptions {
  stdin?: boolean
  tty?: boolean
  container?: string
}

/** The exit code is the command's own. */
export async function execInReplica(
  context: CommandContext,
  name: string,
  replica: string,
  command: readonly string[],
  options: ExecJobOptions,
): Promise<number> {
  if (command.length === 0) {
    throw new UsageError('exec needs a command', `trainyard exec ${name} ${replica} -- env`)
  }
  const { client, namespace } = await connect(context, options)
  try {
    const job = await findJob(client, namespace, name)
    const model = read(job)
    refuseUnknownReplica(model, replica)
    const { items } = await client.list(PODS, {
      namespace: job.metadata.namespace,
      labelSelector: podsOfJob(job.metadata.uid),
    })
    const pod = items.find((each) => replicaOfPod(each) === replica)
    if (pod?.status?.phase !== 'Running') {
      const state = pod?.status?.phase ? `is ${pod.status.phase}` : 'has no pod'
      throw new Declined(`${replica} of ${model.name} ${state}; commands run only beside a running program`)
    }
    const container = options.container ?? trainingContainerOf(model, replica)
    return await runInPod(context, client, pod, { ...options, container, command })
  } finally {
    await client.close()
  }
}

export function refuseUnknownReplica(model: JobModel, replica: string): void {
  if (namesOfReplicas(model).replicas.includes(replica)) return
  const slots = model.roles.flatMap(({ type, replicas }) =>
    Array.from({ length: replicas }, (_, index) => ({ type, index })),
  )
  throw new Declined(`${model.name} has no ${replica}, only ${slotRanges(slots).join(', ')}`)
}

/** With standard input and a terminal as asked for; a terminal's keys go through as they are pressed. */
export async function runInPod(
  { terminal }: CommandContext,
  client: KubeClient,
  pod: Pod & KubeObject,
  options: { command: readonly string[]; container?: string; stdin?: boolean; tty?: boolean },
): Promise<number> {
  const { stdin, stdout } = process
  const tty = (options.tty ?? false) && stdin.isTTY === true
  const { namespace, name = '' } = pod.metadata
  const decoder = new StringDecoder()
  const stopResizing: Array<() => void> = []
  if (tty) stdin.setRawMode(true)
  try {
    return await execInPod(
      client.connection,
      { namespace, name },
      {
        command: options.command,
        container: options.container,
        stdin: options.stdin ? stdin : undefined,
        tty,
        stdout: (bytes) => void (terminal.bytes?.(bytes) ?? terminal.out(bytes.toString())),
        stderr: (bytes) => terminal.err(decoder.write(bytes)),
        onOpen: (resize) => {
          if (!tty) return
          const tell = (): void => resize(stdout.columns, stdout.rows)
          tell()
          stdout.on('resize', tell)
          stopResizing.push(() => stdout.off('resize', tell))
        },
      },
    )
  } finally {
    for (const stop of stopResizing) stop()
    if (tty) stdin.setRawMode(false)
    // Keys that nobody waits for any more must not keep us.
    if (options.stdin) {
      stdin.pause()
      if ('unref' in stdin) stdin.unref()
    }
  }
}
