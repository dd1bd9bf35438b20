import { isObject } from '../../lib/json.ts'
import type { Api, WriteOptions } from '../api.ts'
import { parseJson } from '../http/parse-json.ts'
import { type ApiObject, valueAt } from '../object.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import type { Resource, ScalePaths } from '../resources/resource.ts'
import { badRequest, notFound, unsupportedMediaType } from '../status-error.ts'
import { type ObjectKey, updateObject } from './update.ts'
import { inVersion } from './versions.ts'

/** autoscaling/v1 Scale: the number of replicas of any kind, seen through the paths its definition names. */
export function readScale(api: Api, resource: Resource, key: ObjectKey): ApiObject {
  const row = api.store.get({ resource: resource.storageKey, ...key })
  if (!row) throw notFound(resource, key.name)
  return scaleOf(resource, inVersion(resource, row.body, row.rev))
}

function scaleOf({ scale }: Resource, object: ApiObject): ApiObject {
  const paths = scale as ScalePaths
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = valueAt(object, paths.specReplicas)
  const selector = paths.labelSelector && valueAt(object, paths.labelSelector)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === undefined ? {} : { replicas },
    status: { replicas: valueAt(object, paths.statusReplicas) ?? 0, ...(selector ? { selector } : {}) },
  } as ApiObject
}

export function replaceScale(
  api: Api,
  resource: Resource,
  key: ObjectKey,
  sent: unknown,
  options: WriteOptions,
): ApiObject {
  if (!isObject(sent) || sent.kind !== 'Scale') throw badRequest('the body must be an autoscaling/v1 Scale')
  return writeScale(api, resource, key, () => sent, options)
}

export function patchScale(
  api: Api,
  resource: Resource,
  key: ObjectKey,
  contentType: string,
  text: string,
  options: WriteOptions,
): ApiObject {
  const type = contentType.split(';')[0]?.trim()
  const { value } = parseJson(text)
  const change =
    type === 'application/json-patch+json'
      ? (scale: ApiObject) => applyJsonPatch(scale, value)
      : type === 'application/merge-patch+json' || type === 'application/strategic-merge-patch+json'
        ? (scale: ApiObject) => applyMergePatch(scale, value) as Record<string, unknown>
        : undefined
  if (!change) throw unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json'])
  return writeScale(api, resource, key, change, options)
}

function writeScale(
  api: Api,
  resource: Resource,
  key: ObjectKey,
  change: (scale: ApiObject) => Record<string, unknown>,
  options: WriteOptions,
): ApiObject {
  const paths = resource.scale as ScalePaths
  const updated = updateObject(
    api,
    resource,
    key,
    undefined,
    (live) => {
      const next = change(scaleOf(resource, live))
      const replicas = valueAt(next, ['spec', 'replicas'])
      if (!Number.isInteger(replicas) || Number(replicas) < 0)
        throw badRequest('spec.replicas must be a whole number, not negative')
      const raw = withValue(live, paths.specReplicas, replicas)
      const revision = valueAt(next, ['metadata', 'resourceVersion'])
      return { raw: { ...raw, metadata: { ...live.metadata, resourceVersion: revision } }, fromLive: true }
    },
    options,
  )
  return scaleOf(resource, updated)
}

function withValue(object: Record<string, unknown>, path: readonly string[], value: unknown): Record<string, unknown> {
  const [step = '', ...rest] = path
  const below = object[step]
  return { ...object, [step]: rest.length === 0 ? value : withValue(isObject(below) ? below : {}, rest, value) }
}
