// What one attempt of a replica writes, line by line, from its start to its end.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { ApiError, ConnectionError, isNotFound, type KubeClient, PODS } from '../../kube/index.ts'

export interface Attempt {
  pod: Pod
  container: string
  /** Only these many of its last lines; absent: all. */
  tailLines?: number
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
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
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
      }
      break
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Replaced || isNotFound(error)) {
        const kept = home === undefined ? undefined : keptLog(home, attempt)
        if (kept) lines.write(kept.subarray(had))
        break
      }
      if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error
      // Whether it is worth waiting for somebody who does not answer is not decided here.
      if (error instanceof ConnectionError) failures--
      await sleep(PAUSE, undefined, { signal }).catch(() => {})
    }
  }
  lines.end()
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

/** Logs of pods that are gone stay in the home, under their job. */
function keptLog(home: string, { pod, container }: Attempt): Buffer | undefined {
  const { name = '', uid = '', ownerReferences } = pod.metadata ?? {}
  const job = ownerReferences?.find(({ controller }) => controller)?.uid ?? ''
  const replica = join(home, 'logs', job, name)
  try {
    const own = readdirSync(replica).find((each) => each.endsWith(`-${uid}`))
    return own === undefined ? undefined : readFileSync(join(replica, own, `${container}.log`))
  } catch {
    return undefined
  }
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
