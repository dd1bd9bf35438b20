// The streams of exec and attach in one websocket: the first byte of each message says which stream it belongs to.
import type { Readable } from 'node:stream'
import type { WebSocket } from 'ws'
import { isObject } from '../../lib/json.ts'
import type { Execution } from '../pod-access.ts'
import { buildStatus, reasonOf, sendBytes, writeUnhurried } from './accept.ts'

/** From version 5 on a client can close its standard input alone. */
export const execProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 }
const normal = 1000

export async function serveExecution(socket: WebSocket, execution: Execution): Promise<void> {
  socket.on('message', (data, isBinary) => {
    if (isBinary) receive(socket, execution, data as Buffer)
  })
  socket.on('close', () => execution.kill())
  socket.on('error', () => execution.kill())
  const streams = [pump(socket, channels.stdout, execution.stdout)]
  if (execution.stderr) streams.push(pump(socket, channels.stderr, execution.stderr))
  const exitCode = await execution.exitCode
  await Promise.all(streams)
  await endWith(socket, exitCode)
}

/** What a running program writes from now on, until it ends. */
export async function serveAttachment(
  socket: WebSocket,
  log: AsyncIterable<Buffer>,
  exitCode: () => number,
): Promise<void> {
  await pump(socket, channels.stdout, log)
  await endWith(socket, exitCode())
}

function receive(socket: WebSocket, { stdin, resize }: Execution, message: Buffer): void {
  const [channel, rest] = [message[0], message.subarray(1)]
  if (channel === channels.stdin && stdin.writable) writeUnhurried(stdin, rest, socket)
  if (channel === channels.close && rest[0] === channels.stdin) stdin.end()
  if (channel === channels.resize) {
    const size = parseSize(rest)
    if (size) resize(size.columns, size.rows)
  }
}

function parseSize(bytes: Buffer): { columns: number; rows: number } | undefined {
  try {
    const size: unknown = JSON.parse(bytes.toString())
    if (!isObject(size) || !Number.isInteger(size.Width) || !Number.isInteger(size.Height)) return undefined
    return { columns: size.Width as number, rows: size.Height as number }
  } catch {
    return undefined
  }
}

async function pump(socket: WebSocket, channel: number, stream: Readable | AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const chunk of stream) await sendBytes(socket, Buffer.concat([Buffer.of(channel), chunk]))
  } catch {
    // The stream broke; the exit code tells the rest.
  }
}

async function endWith(socket: WebSocket, exitCode: number): Promise<void> {
  const failure = {
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  }
  await finish(socket, { metadata: {}, ...(exitCode === 0 ? { status: 'Success' } : failure) })
}

/** The command was not run, and this is why. */
export async function failWith(socket: WebSocket, code: number, message: string): Promise<void> {
  await finish(socket, buildStatus(code, reasonOf(code), message))
}

async function finish(socket: WebSocket, status: object): Promise<void> {
  await sendBytes(socket, Buffer.concat([Buffer.of(channels.error), Buffer.from(JSON.stringify(status))]))
  socket.close(normal)
}
