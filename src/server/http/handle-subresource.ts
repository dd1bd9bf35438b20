import { isObject } from '../../lib/json.ts'
import type { ApiObject } from '../object.ts'
import { parsePatch } from '../patch/patch.ts'
import type { Resource } from '../resources/resource.ts'
import { badRequest, methodNotAllowed, noSuchPath, notFound, StatusError } from '../status-error.ts'
import { scale } from '../table/built-in-columns.ts'
import { bindPod } from '../verbs/bind.ts'
import { deleteObject, parseDeleteOptions } from '../verbs/delete.ts'
import { finalizeNamespace } from '../verbs/finalize.ts'
import { isOn } from '../verbs/list-options.ts'
import { patchScale, readScale, replaceScale } from '../verbs/scale.ts'
import type { ObjectKey } from '../verbs/update.ts'
import { inVersion } from '../verbs/versions.ts'
import { type Exchange, type Handled, readObjectBody, readWriteOptions } from './exchange.ts'
import { negotiate } from './negotiate.ts'
import { objectReply } from './object-reply.ts'
import { readBody } from './read-body.ts'

export async function handleSubresource(exchange: Exchange, resource: Resource, key: ObjectKey): Handled {
  const { subresource = '' } = exchange.target
  if (subresource === 'scale' && resource.scale) return handleScale(exchange, resource, key)
  if (!resource.subresources.includes(subresource))
    throw subresource === 'scale' && resource.custom ? notFound(resource, key.name) : noSuchPath()
  switch (subresource) {
    case 'binding':
      return postBinding(exchange, resource, key)
    case 'eviction':
      return postEviction(exchange, resource, key)
    case 'finalize':
      return putFinalize(exchange, resource, key)
    case 'log':
      return getLog(exchange, resource, key)
    default:
      // exec, attach and portforward live on upgraded connections; a plain request cannot carry them.
      throw badRequest('Upgrade request required')
  }
}

async function handleScale(exchange: Exchange, resource: Resource, key: ObjectKey): Handled {
  const { req, api } = exchange
  if (req.method === 'GET') {
    const accepted = negotiate(req.headers.accept, ['object', 'table', 'metadata'])
    return objectReply(exchange, { columns: scale }, readScale(api, resource, key), accepted, 200, [])
  }
  if (req.method === 'PUT') {
    const body = await readObjectBody(req)
    const options = readWriteOptions(exchange, body)
    return { code: 200, body: replaceScale(api, resource, key, body.value, options), warnings: options.warnings }
  }
  if (req.method === 'PATCH') {
    const parsed = parsePatch(resource, req.headers['content-type'] ?? '', await readBody(req))
    const options = readWriteOptions(exchange, parsed)
    if (parsed.kind === 'apply') options.manager = exchange.target.query.get('fieldManager') ?? ''
    const force = isOn(exchange.target.query, 'force')
    return { code: 200, body: patchScale(api, resource, key, parsed, force, options), warnings: options.warnings }
  }
  throw methodNotAllowed()
}

export function readStored(exchange: Exchange, resource: Resource, key: ObjectKey): ApiObject {
  const row = exchange.api.store.get({ resource: resource.storageKey, ...key })
  if (!row) throw notFound(resource, key.name)
  return inVersion(resource, row.body, row.rev)
}

async function postBinding(exchange: Exchange, resource: Resource, key: ObjectKey): Handled {
  if (exchange.req.method !== 'POST') throw methodNotAllowed()
  const body = await readObjectBody(exchange.req)
  const options = readWriteOptions(exchange, body)
  bindPod(exchange.api, resource, key, body.value, options)
  return { code: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } }
}

async function postEviction(exchange: Exchange, resource: Resource, key: ObjectKey): Handled {
  if (exchange.req.method !== 'POST') throw methodNotAllowed()
  const { value } = await readObjectBody(exchange.req)
  if (!isObject(value) || value.kind !== 'Eviction') throw badRequest('the body must be a policy/v1 Eviction')
  deleteObject(exchange.api, resource, key, parseDeleteOptions(exchange.target.query, value.deleteOptions))
  return { code: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } }
}

async function putFinalize(exchange: Exchange, resource: Resource, key: ObjectKey): Handled {
  if (exchange.req.method !== 'PUT') throw methodNotAllowed()
  const { value } = await readObjectBody(exchange.req)
  return { code: 200, body: finalizeNamespace(exchange.api, resource, key, value) }
}

async function getLog(exchange: Exchange, resource: Resource, key: ObjectKey): Handled {
  if (exchange.req.method !== 'GET') throw methodNotAllowed()
  const pod = readStored(exchange, resource, key)
  const { log } = exchange.api.pods
  if (!log) throw noBackend()
  await log(pod, exchange.target.query, exchange.res)
  return undefined
}

export const noBackend = (): StatusError =>
  new StatusError(503, 'ServiceUnavailable', 'nothing that runs pods is connected to this server', {
    retryAfterSeconds: 1,
  })
