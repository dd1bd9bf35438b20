// trainyard tensorboard: the job's TensorBoard on a port of this machine, until Ctrl-C.
import { spawn } from 'node:child_process'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { kinds } from '../../api/kinds.ts'
import type { TensorBoard } from '../../api/types.ts'
import { forwardPort } from '../../kube/forward.ts'
import type { KubeClient, Resource } from '../../kube/index.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { type AnyJob, recordOf, resourceOf } from '../home/running-jobs.ts'
import { renderData } from '../output/data.ts'
import { UsageError } from '../usage-error.ts'
import { Declined } from './declined.ts'
import { findJob } from './find-job.ts'
import type { ShowContext } from './output-form.ts'
import { tellWhatIsAwaited } from './patience.ts'
import { waitFor } from './watch-set.ts'

export interface TensorBoardOptions extends ClusterOptions {
  port?: string
  open: boolean
}

const BOARD_PORT = 6006

export async function openTensorBoard(
  context: ShowContext,
  name: string,
  options: TensorBoardOptions,
): Promise<number> {
  const port = Number(options.port ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port ${options.port}: a port is a number from 1 to 65535`)
  }
  const { client, namespace } = await connect(context, options)
  try {
    const job = await findJob(client, namespace, name)
    const board = await awaitBoard(context, client, job)
    const pod = { namespace: board.metadata.namespace, name: board.status?.pod?.reference?.name ?? '' }
    const server = await listen(client, pod, port)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { terminal, format } = context
    terminal.out(format ? await renderData({ url }, format) : `${url}\n`)
    terminal.err(`trainyard: the TensorBoard of ${name}; Ctrl-C ends this, not the TensorBoard\n`)
    if (options.open && process.stdout.isTTY) openBrowser(url)
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    })
    server.close()
    return 0
  } finally {
    await client.close()
  }
}

/** Trouble is told rather than waited out; a board that is only starting is waited for. */
async function awaitBoard(context: ShowContext, client: KubeClient, job: AnyJob): Promise<TensorBoard> {
  const { name = '', namespace, uid } = job.metadata
  let seen: AnyJob | undefined = job
  const patience = tellWhatIsAwaited(context, () => recordOf(seen ?? job).tensorboard?.note ?? `waiting for ${name}`)
  try {
    const itself = { namespace, fieldSelector: `metadata.name=${name}` }
    const judge = (items: AnyJob[]): AnyJob | undefined => {
      seen = items.find((each) => each.metadata.uid === uid)
      if (!seen) throw new Declined(`${name} is gone`)
      if (!('tensorboardSpec' in seen.spec && seen.spec.tensorboardSpec)) {
        throw new Declined(
          `${name} has no TensorBoard`,
          'say where its logs lie in spec.tensorboardSpec: trainyard explain tensorflowtrainingjob.spec.tensorboardSpec',
        )
      }
      const status = recordOf(seen).tensorboard
      if (status?.type === 'Warning' && !status.ready) throw new Declined(status.note)
      return status?.ready ? seen : undefined
    }
    const ready = await waitFor(client, resourceOf(job), itself, judge)
    const { dependent, type, note } = recordOf(ready!).tensorboard!
    if (type === 'Warning') context.terminal.err(`trainyard: ${note}\n`)
    return await client.get(BOARDS, { namespace, name: dependent?.name ?? '' })
  } finally {
    patience.end()
  }
}

const { group, plural, kind, versions } = kinds.find((each) => each.kind === 'TensorBoard')!
const BOARDS: Resource<TensorBoard> = { group, version: versions[0]!.name, plural, kind, namespaced: true }

function listen(client: KubeClient, pod: { namespace?: string; name: string }, port: number): Promise<Server> {
  const server = createServer(async (socket) => {
    try {
      const stream = await forwardPort(client.connection, pod, BOARD_PORT)
      await pipeline(socket, stream, socket)
    } catch {
      // A browser that leaves, or a TensorBoard that ends: the next connection is a new one.
      socket.destroy()
    }
  })
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new Declined(`port ${port} cannot be used (${code})`, 'choose another --port, or none')),
    )
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

/** Whoever has no browser reads the address. */
function openBrowser(url: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
