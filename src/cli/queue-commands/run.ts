// trainyard queue list, describe, open and close.
import type { Queue } from '../../api/queue/queue-object.ts'
import type { KubeClient } from '../../kube/index.ts'
import { toTimestamp } from '../../lib/time.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { fullName, type ShowContext, showObjects } from '../job-commands/output-form.ts'
import { renderData } from '../output/data.ts'
import { renderQueue, renderQueues, stateOf, usesOf } from './queue-view.ts'
import { findQueue, listMembers, listQueues, QUEUES } from './queues.ts'

export function showQueues(context: ShowContext, options: ClusterOptions): Promise<number> {
  return onCluster(context, options, async (client) => {
    const queues = await listQueues(client)
    if (await showObjects(context, queues, false)) return 0
    if (queues.length === 0) context.terminal.err('no queues\n')
    else context.terminal.out(`${renderQueues(queues, styleOf(context)).join('\n')}\n`)
    return 0
  })
}

export function describeQueue(context: ShowContext, name: string, options: ClusterOptions): Promise<number> {
  return onCluster(context, options, async (client) => {
    const queue = await findQueue(client, name)
    const { terminal, format, names } = context
    if (names) {
      terminal.out(`${fullName(queue)}\n`)
      return 0
    }
    const members = await listMembers(client, name)
    if (format) terminal.out(await renderData(dataOf(queue, members), format))
    else terminal.out(`${renderQueue(queue, members, styleOf(context), Date.now()).join('\n')}\n`)
    return 0
  })
}

export function setClosed(
  context: ShowContext,
  name: string,
  closed: boolean,
  options: ClusterOptions,
): Promise<number> {
  return onCluster(context, options, async (client) => {
    const queue = await findQueue(client, name)
    const { terminal } = context
    const before = stateOf(queue)
    const at = { namespace: queue.metadata.namespace, name }
    const changed = (queue.spec?.closed ?? false) !== closed
    const body = { metadata: { uid: queue.metadata.uid }, spec: { closed } }
    const after = changed ? await client.patch(QUEUES, at, { type: 'merge', body }) : queue
    if (await showObjects(context, [after], true)) return 0
    if (!changed) terminal.out(`${name} is ${before} already\n`)
    else {
      const { running = 0, pending = 0 } = queue.status?.pods ?? {}
      const rest = closed ? `${running} running pods go on, nothing new is placed` : `${pending} pods wait`
      terminal.out(`${name}  ${before} → ${stateOf(after)}   ${rest}\n`)
    }
    return 0
  })
}

function dataOf(queue: Queue, members: Awaited<ReturnType<typeof listMembers>>): object {
  const shown = members.map(({ createdAt, ...member }) => ({ ...member, createdAt: toTimestamp(createdAt) }))
  const waiting = shown.filter(({ waits }) => waits !== undefined)
  return {
    queue,
    state: stateOf(queue),
    resources: usesOf(queue),
    running: shown.filter(({ waits }) => waits === undefined),
    waiting: waiting.map((member, i) => ({ position: i + 1, ...member })),
  }
}

function styleOf({ wide, out }: ShowContext): ShowContext['out'] {
  return wide ? { ...out, width: Number.POSITIVE_INFINITY } : out
}

async function onCluster(
  context: ShowContext,
  options: ClusterOptions,
  work: (client: KubeClient) => Promise<number>,
): Promise<number> {
  const { client } = await connect(context, options)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
