// A command in a running container: its streams in one websocket, the first byte of each message says which.

import type { Readable } from 'node:stream'
import type WebSocket from 'ws'
import { isObject } from '../lib/json.ts'
import type { Connection } from './connection.ts'
import { ConnectionError, errorOf } from './errors.ts'
import { onRefusal, openPodSocket, parseBody } from './pod-socket.ts'
import type { ObjectName } from './resource.ts'

export interface ExecOptions {
  command: readonly string[]
  container?: string
  stdin?: Readable
  /** On a terminal there is one stream of output, and it has a size. */
  tty?: boolean
  stdout: (bytes: Buffer) => void
  stderr: (bytes: Buffer) => void
  /** Called once with what tells the other side a new size. */
  onOpen?: (resize: (columns: number, rows: number) => void) => void
}

// The later one can close standard input alone.
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 }

/** Resolves with the command's exit code; a command that could not be run is an ApiError. */
export async function execInPod(connection: Connection, pod: ObjectName, options: ExecOptions): Promise<number> {
  const socket = await openPodSocket(connection, pod, 'exec', queryOf(options), PROTOCOLS)
  return converse(socket, connection.server, options)
}

function queryOf({ command, container, stdin, tty }: ExecOptions): URLSearchParams {
  const query = new URLSearchParams(command.map((word): [string, string] => ['command', word]))
  if (container) query.set('container', container)
  query.set('stdin', String(stdin !== undefined))
  query.set('stdout', 'true')
  query.set('stderr', String(!tty))
  query.set('tty', String(tty ?? false))
  return query
}

function converse(socket: WebSocket, server: string, options: ExecOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    let status: unknown
    socket.on('open', () => feed(socket, options))
    socket.on('message', (data) => {
      const message = data as Buffer
      const rest = message.subarray(1)
      if (message[0] === CHANNELS.stdout) options.stdout(rest)
      else if (message[0] === CHANNELS.stderr) options.stderr(rest)
      else if (message[0] === CHANNELS.error) status = parseBody(rest.toString())
    })
    onRefusal(socket, server, reject)
    socket.on('close', () => {
      if (status === undefined)
        reject(new ConnectionError('cut', `${server} ended the connection before the command did`))
      else {
        const exitCode = exitCodeOf(status)
        if (exitCode !== undefined) resolve(exitCode)
        else reject(errorOf(Number((status as { code?: number }).code ?? 500), withKind(status)))
      }
    })
  })
}

function feed(socket: WebSocket, { stdin, onOpen }: ExecOptions): void {
  const send = (channel: number, bytes: Uint8Array): void => {
    if (socket.readyState === socket.OPEN) socket.send(Buffer.concat([Buffer.of(channel), bytes]))
  }
  onOpen?.((columns, rows) => send(CHANNELS.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))))
  stdin?.on('data', (bytes: Buffer) => send(CHANNELS.stdin, bytes))
  stdin?.on('end', () => send(CHANNELS.close, Buffer.of(CHANNELS.stdin)))
}

function exitCodeOf(status: unknown): number | undefined {
  if (!isObject(status)) return undefined
  if (status.status === 'Success') return 0
  const causes = isObject(status.details) && Array.isArray(status.details.causes) ? status.details.causes : []
  const cause = causes.filter(isObject).find(({ reason }) => reason === 'ExitCode')
  return cause ? Number(cause.message) : undefined
}

const withKind = (status: unknown): unknown => (isObject(status) ? { kind: 'Status', ...status } : status)
