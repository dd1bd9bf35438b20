// Logs and ports of a job stay as long as the job does.
import { once } from 'node:events'
import { kinds } from '../../api/kinds.ts'
import { Informer, type KubeClient, PODS } from '../../kube/index.ts'

export interface Keeper {
  forgetJob(uid: string): Promise<void>
  /** Forgets all others. */
  retainJobs(uids: ReadonlySet<string>): Promise<void>
}

export function forgetDeletedJobs(
  client: KubeClient,
  keeper: Keeper,
  onError: (where: string, error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  const informers = kinds
    // A TensorBoard's program has logs and a port, too.
    .filter(({ job, kind }) => job || kind === 'TensorBoard')
    .map(({ group, kind, plural, versions }) => {
      const version = versions.find(({ storage }) => storage)?.name ?? versions[0]!.name
      return new Informer({
        client,
        resource: { group, version, plural, kind, namespaced: true },
        // Only who is there matters.
        trim: ({ apiVersion, kind: k, metadata: { name, namespace, uid, resourceVersion } }) => ({
          apiVersion,
          kind: k,
          metadata: { name, namespace, uid, resourceVersion },
        }),
        onChange: (change) => {
          if (change.type !== 'removed') return
          keeper.forgetJob(change.object.metadata.uid ?? '').catch((error) => onError('forgetting a job', error))
        },
        onError: (error) => onError(`watching ${plural}`, error),
      })
    })
  const runs = informers.map((informer) => informer.run(stopping.signal))

  /** A job may have been deleted while no home ran, or just before one was killed. */
  const catchUp = async (): Promise<void> => {
    // Whoever stops before the first answers does not wait for them.
    await Promise.race([Promise.all(informers.map((informer) => informer.synced)), stopped])
    if (stopping.signal.aborted) return
    const pods = await client.list(PODS, { signal: stopping.signal })
    const there = [...informers.flatMap((informer) => informer.cache.list()), ...pods.items]
    await keeper.retainJobs(new Set(there.map(({ metadata }) => metadata.uid ?? '')))
  }
  const caughtUp = catchUp().catch((error) => {
    if (!stopping.signal.aborted) onError('forgetting jobs of former homes', error)
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([...runs, caughtUp])
    },
  }
}
