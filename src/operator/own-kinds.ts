import {
  ApiError,
  CRDS,
  isNotFound,
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type Resource,
} from '../kube/index.ts'

/** On every definition that we install. */
const OUR_LABEL = 'app.kubernetes.io/name'
const OUR_NAME = 'trainyard'

/**
 * Reads a kind of jobs only while its definition is ours. A cluster may have Kubeflow's TFJob or T9k's kinds with their
 * own operators: two operators for one job would fight. To us such a kind is not installed; it is looked at again as
 * one that is not.
 */
export function onlyOurs(
  client: KubeClient,
  onForeign: (definition: string) => void,
): Pick<KubeClient, 'list' | 'watch'> {
  let told = false
  return {
    watch: client.watch.bind(client),
    async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}) {
      const name = `${resource.plural}.${resource.group}`
      // Once per list, not per page.
      if (options.continue === undefined) {
        const ours = await isOurs(client, name, options.signal)
        if (!ours && !told) onForeign(name)
        told = !ours
        if (!ours) throw new ApiError({ code: 404, reason: 'NotFound', message: `${name} is somebody else's` })
      }
      return client.list(resource, options).catch((error: unknown) => {
        // A definition is accepted before its kind is served: that is a matter of moments, not of absence.
        if (!isNotFound(error) || options.continue !== undefined) throw error
        throw new ApiError({ code: 503, reason: 'ServiceUnavailable', message: `${name} is not served yet` })
      })
    },
  }
}

/** Whether we installed this definition. */
export async function isOurs(client: KubeClient, definition: string, signal?: AbortSignal): Promise<boolean> {
  const { metadata } = await client.get(CRDS, { name: definition }, signal)
  return metadata.labels?.[OUR_LABEL] === OUR_NAME
}
