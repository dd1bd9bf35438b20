// A selection of objects, again whenever it has changed.
import {
  ConnectionError,
  isExpired,
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type Resource,
} from '../../kube/index.ts'

type Selection = Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>

export async function* watchSet<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  selection: Selection,
  signal?: AbortSignal,
): AsyncGenerator<T[], void, undefined> {
  while (!signal?.aborted) {
    const { items, resourceVersion } = await client.list(resource, { ...selection, signal })
    const set = new Map(items.map((item) => [item.metadata.uid, item]))
    yield [...set.values()]
    try {
      for await (const { type, object } of client.watch(resource, { ...selection, resourceVersion, signal })) {
        if (type === 'BOOKMARK') continue
        if (type === 'DELETED') set.delete(object.metadata.uid)
        else set.set(object.metadata.uid, object)
        yield [...set.values()]
      }
    } catch (error) {
      if (signal?.aborted) return
      // A watch may be cut or too old; the list tells whether anybody is still there.
      if (!isExpired(error) && !(error instanceof ConnectionError && error.problem === 'cut')) throw error
    }
  }
}

/** The first state that answers; undefined if the signal came first. */
export async function waitFor<T extends KubeObject, R>(
  client: KubeClient,
  resource: Resource<T>,
  selection: Selection,
  answer: (items: T[]) => R | undefined,
  signal?: AbortSignal,
): Promise<R | undefined> {
  try {
    for await (const items of watchSet(client, resource, selection, signal)) {
      const found = answer(items)
      if (found !== undefined) return found
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  return undefined
}
