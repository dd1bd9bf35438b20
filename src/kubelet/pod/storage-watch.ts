// Looks how much disk a pod takes while it runs. The verdict is written down before anything is done about it: a home
// that is killed in between leaves one that knows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '../../../gen/kubernetes-types.ts'
import { measureDirectories } from '../limits/disk-use.ts'
import { decideEviction, type StorageLimits, type StorageUse, storageLimitsOf } from '../limits/storage-limits.ts'
import { emptyDirectoryOf, isInMemory } from '../volumes/provide.ts'
import { writeAtomically } from '../write-atomically.ts'

const pace = 1000
/** Looking may take this share of the time. */
const share = 1 / 20

export class StorageWatch {
  /** Why the pod has to go. */
  evicted: string | undefined
  readonly #pod: Pod
  readonly #directory: string
  readonly #logDirectory: string
  readonly #limits: StorageLimits | undefined
  readonly #exceeded: (message: string) => void
  #timer: NodeJS.Timeout | undefined
  #watching = false

  constructor(pod: Pod, directory: string, logDirectory: string, exceeded: (message: string) => void) {
    this.#pod = pod
    this.#directory = directory
    this.#logDirectory = logDirectory
    this.#limits = storageLimitsOf(pod)
    this.#exceeded = exceeded
    if (this.#limits) this.evicted = readVerdict(this.#verdictFile)
  }

  /** Looks from now on, as long as nobody says otherwise. */
  watch(): void {
    if (this.#watching || !this.#limits || this.evicted !== undefined) return
    this.#watching = true
    this.#timer = setTimeout(() => void this.#look(), pace)
  }

  rest(): void {
    this.#watching = false
    clearTimeout(this.#timer)
  }

  get #verdictFile(): string {
    return join(this.#directory, 'evicted')
  }

  async #look(): Promise<void> {
    const began = performance.now()
    const use = await this.#measure()
    if (!this.#watching) return
    const message = decideEviction(this.#limits!, use)
    if (message === undefined) {
      this.#timer = setTimeout(() => void this.#look(), Math.max(pace, (performance.now() - began) / share))
      return
    }
    this.rest()
    try {
      writeAtomically(this.#verdictFile, message)
    } catch {
      // The disk is full, perhaps by the pod's own fault: it has to go all the more.
    }
    this.evicted = message
    this.#exceeded(message)
  }

  async #measure(): Promise<StorageUse> {
    const volumes = (this.#pod.spec?.volumes ?? []).filter(({ emptyDir }) => emptyDir)
    const placed = volumes.map((volume) => ({ volume, path: emptyDirectoryOf(this.#pod, volume, this.#podVolumes) }))
    const own = [join(this.#directory, 'work'), this.#logDirectory]
    const sizes = await measureDirectories([...own, ...placed.map(({ path }) => path)])
    const size = (path: string): number => sizes.get(path) ?? 0
    const onDisk = placed.filter(({ volume }) => !isInMemory(volume)).map(({ path }) => path)
    return {
      volumes: new Map(placed.map(({ volume, path }) => [volume.name, size(path)])),
      pod: [...own, ...onDisk].reduce((sum, path) => sum + size(path), 0),
    }
  }

  get #podVolumes(): string {
    return join(this.#directory, 'volumes')
  }
}

function readVerdict(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
