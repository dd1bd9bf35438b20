// Which gang scheduler the cluster has. It is told by whose kinds the API knows; a cluster may get one while we run.
import { GANGS, type GangChoice, type GangScheduler } from '../core/gangs.ts'
import {
  ApiError,
  isForbidden,
  isNotFound,
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type Resource,
  type WatchOptions,
} from '../kube/index.ts'
import { isOurs } from './own-kinds.ts'

/** What the API serves where a scheduler is installed, in the order of preference. */
const SIGNS: ReadonlyArray<[GangScheduler, path: string]> = [
  ['t9k', '/apis/scheduler.tensorstack.dev'],
  ['volcano', '/apis/scheduling.volcano.sh'],
  ['coscheduling', '/apis/scheduling.x-k8s.io'],
  ['kueue', '/apis/kueue.x-k8s.io'],
]
const T9K_GROUPS = 'podgroups.scheduler.tensorstack.dev'

/** Reads the PodGroups of the scheduler that was found; without one, PodGroups are not installed. */
export class GangFinder {
  readonly #client: KubeClient
  readonly #choice: GangChoice
  readonly #onForbidden: (error: unknown) => void
  #found: GangScheduler | undefined
  /** Looking costs requests: once at the start, then only for a gang that needs a scheduler. */
  #toBeLookedFor = true

  constructor(client: KubeClient, choice: GangChoice, onForbidden: (error: unknown) => void) {
    this.#onForbidden = onForbidden
    this.#client = client
    this.#choice = choice
    this.#found = choice === 'auto' || choice === 'none' ? undefined : choice
  }

  get found(): GangScheduler | undefined {
    return this.#found
  }

  /** The next list looks again for one. */
  lookAgain(): void {
    this.#toBeLookedFor = true
  }

  /** The resource that stands for groups; undefined where there is none. */
  get groups(): Resource | undefined {
    const apiVersion = this.#found && GANGS[this.#found].group?.apiVersion
    if (!apiVersion) return undefined
    const [group = '', version = ''] = apiVersion.split('/')
    return { group, version, plural: 'podgroups', kind: 'PodGroup', namespaced: true }
  }

  /** For an informer, whatever resource it believes to read. */
  readonly reader: Pick<KubeClient, 'list' | 'watch'> = {
    list: async <T extends KubeObject>(_resource: Resource<T>, options: ListOptions = {}) => {
      if (this.#choice === 'auto' && this.#toBeLookedFor && options.continue === undefined) {
        this.#found = await this.#look(options.signal)
        this.#toBeLookedFor = false
      }
      const { groups } = this
      if (!groups) throw notInstalled()
      return this.#client.list(groups as Resource<T>, options).catch((error) => {
        if (this.#choice !== 'auto' || !isForbidden(error)) throw error
        // A scheduler whose groups we may not make is as good as none; who wants it grants the rights.
        this.#found = undefined
        this.#onForbidden(error)
        throw notInstalled()
      })
    },
    watch: <T extends KubeObject>(_resource: Resource<T>, options: WatchOptions = {}) =>
      this.#client.watch(this.groups as Resource<T>, options),
  }

  async #look(signal: AbortSignal | undefined): Promise<GangScheduler | undefined> {
    for (const [scheduler, path] of SIGNS) {
      if (!(await this.#serves(path, signal))) continue
      // Where we have defined T9k's kinds ourselves, they say nothing of its scheduler.
      if (scheduler === 't9k' && (await isOurs(this.#client, T9K_GROUPS, signal))) continue
      return scheduler
    }
    return undefined
  }

  async #serves(path: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await this.#client.raw({ method: 'GET', path, signal })
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  }
}

function notInstalled(): ApiError {
  return new ApiError({ code: 404, reason: 'NotFound', message: 'there are no groups of pods' })
}
