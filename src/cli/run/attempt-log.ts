// What one attempt of a replica writes, line by line, from its start to its end.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { ApiError, ConnectionError, isNotFound, type KubeClient, PODS } from '../../kube/index.ts'
import { readLog } from '../../kubelet/logs/read-log.ts'

export interface Attempt {
  pod: Pod
  container: string
  /** Only these many of its last lines; absent: all. */
  tailLines?: number
  /** It has ended, as far as has been heard. */
  isOver: () => boolean
}

export interface Reader {
  onLine: (line: string) => void
  /** Asked after each piece, which may hold many lines: resolves when more may come. */
  ready: () => Promise<void>
}

type LogSource = Pick<KubeClient, 'logs' | 'get'>

/** A program that never ends its line is shown in pieces. */
const LONGEST = 1 << 16
const TRIES = 5
const PAUSE = 200

/** Ends when the attempt has written its last; `home` is the directory of a home of this machine. */
export async function readAttempt(
  client: LogSource,
  attempt: Attempt,
  home: string | undefined,
  reader: Reader,
  signal: AbortSignal,
): Promise<void> {
  const { tailLines, isOver } = attempt
  const path = home === undefined ? undefined : logOf(home, attempt)
  // A home has more to do than to pass on what lies on this machine, most of all when a job starts.
  if (path !== undefined) return show(readLog(path, { tailLines, follow: true }, isOver, signal), reader)
  const { onLine, ready } = reader
  const lines = new LineSplitter(onLine)
  let had = 0
  for (let failures = 0; failures < TRIES && !signal.aborted; failures++) {
    try {
      let skip = had
      for await (const chunk of openOwn(client, attempt, signal)) {
        const fresh = chunk.subarray(Math.min(skip, chunk.length))
        skip -= chunk.length - fresh.length
        had += fresh.length
        if (fresh.length > 0) failures = 0
        lines.write(fresh)
        await ready()
      }
      break
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Replaced || isNotFound(error)) break
      if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error
      // Whether it is worth waiting for somebody who does not answer is not decided here.
      if (error instanceof ConnectionError) failures--
      await sleep(PAUSE, undefined, { signal }).catch(() => {})
    }
  }
  lines.end()
}

/** Where the home keeps it; undefined if there is none, or the container was started again and has several. */
function logOf(home: string, { pod, container }: Attempt): string | undefined {
  const { name = '', uid } = pod.metadata ?? {}
  if (pod.status?.containerStatuses?.find((each) => each.name === container)?.restartCount) return undefined
  const own = keptLogs(home, ownerOf(pod), name, container).find((log) => log.uid === uid)
  return own && existsSync(own.path) ? own.path : undefined
}

/** The uid of the job whose pod it is. */
function ownerOf({ metadata }: Pod): string {
  return metadata?.ownerReferences?.find(({ controller }) => controller)?.uid ?? ''
}

/** The name belongs to another pod by now. */
class Replaced extends Error {}

/** A log is asked for by name; that it was this pod's shows if the pod is still there after the answer has begun. */
async function* openOwn(client: LogSource, { pod, container, tailLines }: Attempt, signal: AbortSignal) {
  const { namespace = '', name = '', uid } = pod.metadata ?? {}
  let sure = false
  for await (const chunk of client.logs({ namespace, name }, { container, follow: true, tailLines, signal })) {
    sure ||= (await client.get(PODS, { namespace, name }, signal)).metadata.uid === uid
    if (!sure) throw new Replaced()
    yield chunk
  }
  if (!sure && (await client.get(PODS, { namespace, name }, signal)).metadata.uid !== uid) throw new Replaced()
}

export interface KeptLog {
  uid: string
  path: string
}

/** Logs of pods that are gone stay in the home, under their job: those of one replica, by attempt. */
export function keptLogs(home: string, job: string, podName: string, container: string): KeptLog[] {
  const replica = join(home, 'logs', job, podName)
  try {
    const attempts = readdirSync(replica).sort()
    return attempts.map((name) => ({
      uid: name.slice(name.indexOf('-') + 1),
      path: join(replica, name, `${container}.log`),
    }))
  } catch {
    return []
  }
}

/** All that an attempt has left. */
export function readKept({ path }: KeptLog, reader: Reader, signal: AbortSignal): Promise<void> {
  return show(
    readLog(path, {}, () => true, signal),
    reader,
  )
}

/** In pieces: it may be more than fits into memory. */
async function show(log: AsyncIterable<Uint8Array>, { onLine, ready }: Reader): Promise<void> {
  const lines = new LineSplitter(onLine)
  for await (const chunk of log) {
    lines.write(chunk)
    await ready()
  }
  lines.end()
}

export class LineSplitter {
  readonly #onLine: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  write(chunk: Uint8Array): void {
    const pieces = (this.#rest + this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))).split(
      '\n',
    )
    this.#rest = pieces.pop()!
    for (const piece of pieces) this.#emit(piece)
    while (this.#rest.length > LONGEST) {
      this.#emit(this.#rest.slice(0, LONGEST))
      this.#rest = this.#rest.slice(LONGEST)
    }
  }

  end(): void {
    this.#rest += this.#decoder.end()
    if (this.#rest !== '') this.#emit(this.#rest)
    this.#rest = ''
  }

  #emit(line: string): void {
    this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
