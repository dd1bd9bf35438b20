// Logs and ports of a job stay as long as the job does.
import { kinds } from '../../api/kinds.ts'
import { Informer, type KubeClient } from '../../kube/index.ts'

export function forgetDeletedJobs(
  client: KubeClient,
  forget: (uid: string) => Promise<void>,
  onError: (where: string, error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const runs = kinds
    .filter((kind) => kind.job)
    .map(({ group, kind, plural, versions }) => {
      const version = versions.find(({ storage }) => storage)?.name ?? versions[0]!.name
      const informer = new Informer({
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
          forget(change.object.metadata.uid ?? '').catch((error) => onError('forgetting a job', error))
        },
        onError: (error) => onError(`watching ${plural}`, error),
      })
      return informer.run(stopping.signal)
    })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(runs)
    },
  }
}
