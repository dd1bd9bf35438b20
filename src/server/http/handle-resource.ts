import type { ApiObject } from '../object.ts'
import { parsePatch } from '../patch/patch.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'
import {
  methodNotAllowed,
  noSuchPath,
  notFound,
  PageNotFound,
  type Status,
  type StatusError,
  unsupportedVerb,
} from '../status-error.ts'
import { buildTable, partialMetadata } from '../table/table.ts'
import { createObject } from '../verbs/create.ts'
import { type Deleted, deleteObject, parseDeleteOptions } from '../verbs/delete.ts'
import { deleteCollection } from '../verbs/delete-collection.ts'
import { checkRevisionText, listObjects } from '../verbs/list.ts'
import { isOn } from '../verbs/list-options.ts'
import { patchObject } from '../verbs/patch.ts'
import { type ObjectKey, replacement, updateObject } from '../verbs/update.ts'
import { inVersion, isVerbatim, kindPrefix } from '../verbs/versions.ts'
import { checkWatch, type Render, watchObjects } from '../verbs/watch.ts'
import { type Exchange, type Handled, readObjectBody, readWriteOptions } from './exchange.ts'
import { handleSubresource } from './handle-subresource.ts'
import { type Accepted, negotiate } from './negotiate.ts'
import { objectReply, tableOptions } from './object-reply.ts'
import { readBody } from './read-body.ts'

export async function handleResource(exchange: Exchange): Handled {
  const { target, api, req } = exchange
  const resource = api.registry.find(target.group, target.version, target.plural)
  if (!resource) throw api.registry.isOwnGroup(target.group) ? noSuchPath() : new PageNotFound()
  if (resource.deprecation) exchange.warnings.push(resource.deprecation)
  const elsewhere = (): Error => (resource.custom ? new PageNotFound() : noSuchPath())
  if (target.namespace !== undefined && !resource.namespaced) throw elsewhere()
  if (target.name === undefined) return handleCollection(exchange, resource)
  if (resource.namespaced && target.namespace === undefined) throw elsewhere()
  const key = { namespace: target.namespace ?? '', name: target.name }
  if (target.subresource !== undefined && target.subresource !== 'status')
    return handleSubresource(exchange, resource, key)
  if (target.subresource === 'status' && !resource.statusSubresource)
    throw resource.custom ? notFound(resource, key.name) : noSuchPath()
  const subresource = target.subresource
  switch (req.method) {
    case 'GET':
      return readOne(exchange, resource, key)
    case 'PUT':
      return put(exchange, resource, key, subresource)
    case 'PATCH':
      return patch(exchange, resource, key, subresource)
    case 'DELETE':
      if (subresource) throw refuseVerb(resource, 'delete')
      return remove(exchange, resource, key)
    default:
      throw refuseVerb(resource, 'create')
  }
}

/** Custom kinds have an answer of their own to what cannot be done with them. */
const refuseVerb = (resource: Resource, verb: string): StatusError =>
  resource.custom ? unsupportedVerb(resource, verb) : methodNotAllowed()

async function handleCollection(exchange: Exchange, resource: Resource): Handled {
  const { target, req, api } = exchange
  if (req.method === 'GET') {
    return isOn(target.query, 'watch') ? watch(exchange, resource) : list(exchange, resource)
  }
  // Across all namespaces one may only look.
  if (resource.namespaced && target.namespace === undefined)
    throw resource.custom ? new PageNotFound() : methodNotAllowed()
  if (req.method === 'POST') {
    const accepted = negotiate(req.headers.accept, ['object', 'table', 'metadata'])
    const body = await readObjectBody(req, resource.kind)
    const options = readWriteOptions(exchange, body)
    const object = createObject(api, resource, target.namespace, body.value, options)
    return objectReply(exchange, resource, object, accepted, 201, options.warnings)
  }
  if (req.method === 'DELETE' && resource.verbs.includes('deletecollection')) {
    const body = await readObjectBody(req)
    const listed = await deleteCollection(
      api,
      resource,
      { namespace: target.namespace, query: target.query },
      parseDeleteOptions(target.query, body.value),
    )
    return {
      code: 200,
      body: undefined,
      text: listText(resource, listed.texts, { resourceVersion: String(listed.revision) }),
    }
  }
  throw methodNotAllowed()
}

async function readOne(exchange: Exchange, resource: Resource, key: ObjectKey): Handled {
  const { api, req, target } = exchange
  const accepted = negotiate(req.headers.accept, ['object', 'table', 'metadata'])
  checkRevisionText(target.query.get('resourceVersion') ?? '')
  const row = api.store.get({ resource: resource.storageKey, ...key })
  if (!row) throw notFound(resource, key.name)
  if (accepted.form === 'object' && isVerbatim(resource, row.rev))
    return { code: 200, body: undefined, text: row.body, yaml: accepted.yaml }
  return objectReply(exchange, resource, inVersion(resource, row.body, row.rev), accepted, 200, [])
}

async function list(exchange: Exchange, resource: Resource): Handled {
  const { api, req, target } = exchange
  const accepted = negotiate(req.headers.accept, ['object', 'table', 'metadata'])
  const listed = await listObjects(api, resource, { namespace: target.namespace, query: target.query })
  const metadata: Record<string, unknown> = { resourceVersion: String(listed.revision) }
  if (listed.continueToken) metadata.continue = listed.continueToken
  if (listed.remaining !== undefined) metadata.remainingItemCount = listed.remaining
  if (accepted.form === 'table')
    return {
      code: 200,
      body: buildTable(resource, listed.objects(), metadata, tableOptions(exchange)),
      yaml: accepted.yaml,
    }
  if (accepted.form === 'metadata') {
    const body = {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: listed.objects().map(partialMetadata),
    }
    return { code: 200, body, yaml: accepted.yaml }
  }
  const whole = resource.custom ? { continue: '', ...metadata } : metadata
  return { code: 200, body: undefined, text: listText(resource, listed.texts, whole), yaml: accepted.yaml }
}

function listText(resource: Resource, items: readonly string[], metadata: Record<string, unknown>): string {
  const head = JSON.stringify({ kind: resource.listKind, apiVersion: groupVersion(resource), metadata })
  // Items of built-in kinds do not repeat what the list says; every stored text begins with it.
  const said = `{${kindPrefix(resource.kind, groupVersion(resource))}`
  const bare = resource.custom
    ? items
    : items.map((text) => (text.startsWith(said) ? `{${text.slice(said.length)}` : text))
  return `${head.slice(0, -1)},"items":[${bare.join(',')}]}`
}

async function watch(exchange: Exchange, resource: Resource): Handled {
  const { api, req, res, target } = exchange
  const accepted = negotiate(req.headers.accept, ['object', 'table', 'metadata'])
  const request = { namespace: target.namespace, query: target.query }
  checkWatch(api, resource, request)
  res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  res.flushHeaders()
  await watchObjects(api, resource, { request, render: renderFor(exchange, resource, accepted) }, res)
  return undefined
}

function renderFor(exchange: Exchange, resource: Resource, accepted: Accepted): Render | undefined {
  if (accepted.form === 'table') {
    return (object, first) =>
      buildTable(
        resource,
        [object],
        { resourceVersion: object.metadata.resourceVersion },
        tableOptions(exchange),
        first,
      )
  }
  return accepted.form === 'metadata' ? partialMetadata : undefined
}

async function put(exchange: Exchange, resource: Resource, key: ObjectKey, subresource: 'status' | undefined): Handled {
  const accepted = negotiate(exchange.req.headers.accept, ['object', 'table', 'metadata'])
  const body = await readObjectBody(exchange.req, resource.kind)
  const options = readWriteOptions(exchange, body)
  const object = updateObject(exchange.api, resource, key, subresource, replacement(body.value), options)
  return objectReply(exchange, resource, object, accepted, 200, options.warnings)
}

async function patch(
  exchange: Exchange,
  resource: Resource,
  key: ObjectKey,
  subresource: 'status' | undefined,
): Handled {
  const { req, api, target } = exchange
  const accepted = negotiate(req.headers.accept, ['object', 'table', 'metadata'])
  const parsed = parsePatch(resource, req.headers['content-type'] ?? '', await readBody(req))
  const options = readWriteOptions(exchange, parsed)
  if (parsed.kind === 'apply') options.manager = target.query.get('fieldManager') ?? ''
  const { object, created } = patchObject(api, resource, key, subresource, parsed, isOn(target.query, 'force'), options)
  return objectReply(exchange, resource, object, accepted, created ? 201 : 200, options.warnings)
}

/** These answer a delete with the object as it last was, the others with a Status. */
const RETURN_DELETED = new Set(['pods', 'services', 'serviceaccounts', 'persistentvolumeclaims'])

async function remove(exchange: Exchange, resource: Resource, key: ObjectKey): Handled {
  const body = await readObjectBody(exchange.req)
  const deleted = deleteObject(exchange.api, resource, key, parseDeleteOptions(exchange.target.query, body.value))
  return { code: 200, body: deletedBody(resource, deleted) }
}

function deletedBody(resource: Resource, { object, gone }: Deleted): ApiObject | Status {
  if (!gone || RETURN_DELETED.has(resource.storageKey)) return object
  const { name, uid } = object.metadata
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(resource.group ? { group: resource.group } : {}),
      kind: resource.plural,
      ...(uid ? { uid } : {}),
    },
  }
}
