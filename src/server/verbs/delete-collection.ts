import type { Api } from '../api.ts'
import { parseObject } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import { StatusError } from '../status-error.ts'
import { type DeleteOptions, deleteObject } from './delete.ts'
import { type Listed, type ListRequest, listObjects } from './list.ts'

/** Deletes what a list with the same selectors finds; what is gone meanwhile is fine. */
export async function deleteCollection(
  api: Api,
  resource: Resource,
  request: ListRequest,
  options: DeleteOptions,
): Promise<Listed> {
  const listed = await listObjects(api, resource, request)
  for (const text of listed.texts) {
    const { name, namespace = '' } = parseObject(text).metadata
    try {
      deleteObject(api, resource, { namespace, name }, options)
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error
    }
  }
  return listed
}
