import { isObject } from '../../lib/json.ts'
import type { Api, WriteOptions } from '../api.ts'
import { trackScale } from '../apply/track-scale.ts'
import { type ApiObject, valueAt } from '../object.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import type { ParsedPatch } from '../patch/patch.ts'
import { required } from '../resources/field-errors.ts'
import type { Resource, ScalePaths } from '../resources/resource.ts'
import { badRequest, invalid, notFound, StatusError } from '../status-error.ts'
import { type ObjectKey, type Proposal, updateObject } from './update.ts'
import { inVersion } from './versions.ts'

/** autoscaling/v1 Scale: the number of replicas of any kind, seen through the paths its definition names. */
export function readScale(api: Api, resource: Resource, key: ObjectKey): ApiObject {
  const row = api.store.get({ resource: resource.storageKey, ...key })
  if (!row) throw notFound(resource, key.name)
  const object = inVersion(resource, row.body, row.rev)
  const path = (resource.scale as ScalePaths).specReplicas
  if (valueAt(object, path) === undefined) {
    const why = `the spec replicas field ".${path.join('.')}" does not exist`
    throw new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] })
  }
  return scaleOf(resource, object)
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
  if (!isObject(sent)) throw badRequest('the body must be an autoscaling/v1 Scale')
  checkScaleKind(sent)
  return writeScale(api, resource, key, { operation: 'Update', force: false, change: () => sent }, options)
}

function checkScaleKind(sent: Record<string, unknown>): void {
  const { kind = 'Scale', apiVersion = 'autoscaling/v1' } = sent
  if (kind === 'Scale' && apiVersion === 'autoscaling/v1') return
  throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"')
}

export function patchScale(
  api: Api,
  resource: Resource,
  key: ObjectKey,
  patch: ParsedPatch,
  force: boolean,
  options: WriteOptions,
): ApiObject {
  if (patch.kind === 'change')
    return writeScale(api, resource, key, { operation: 'Update', force: false, change: patch.apply }, options)
  if (!options.manager)
    throw invalid('meta.k8s.io', 'PatchOptions', '', [required('fieldManager', 'is required for apply patch')])
  checkScaleKind(patch.config)
  const change = (scale: ApiObject): Record<string, unknown> =>
    applyMergePatch(scale, { spec: patch.config.spec ?? {} }) as Record<string, unknown>
  return writeScale(api, resource, key, { operation: 'Apply', force, change }, options)
}

interface ScaleChange {
  operation: 'Apply' | 'Update'
  force: boolean
  change: (scale: ApiObject) => Record<string, unknown>
}

function writeScale(
  api: Api,
  resource: Resource,
  key: ObjectKey,
  { operation, force, change }: ScaleChange,
  options: WriteOptions,
): ApiObject {
  const path = (resource.scale as ScalePaths).specReplicas
  const propose = (live: ApiObject): Proposal => {
    const next = change(scaleOf(resource, live))
    const replicas = valueAt(next, ['spec', 'replicas'])
    if (replicas === undefined) throw badRequest(`the spec replicas field ".${path.join('.')}" cannot be empty`)
    if (!Number.isInteger(replicas)) throw badRequest('spec.replicas must be a whole number')
    const raw = withValue(live, path, replicas)
    const revision = valueAt(next, ['metadata', 'resourceVersion'])
    const changes = valueAt(live, path) !== replicas
    return {
      raw: { ...raw, metadata: { ...live.metadata, resourceVersion: revision } },
      fromLive: true,
      manage: (final) =>
        trackScale(resource, live, final, { manager: options.manager, operation, force, path, changes }),
    }
  }
  return scaleOf(resource, updateObject(api, resource, key, undefined, propose, options))
}

function withValue(object: Record<string, unknown>, path: readonly string[], value: unknown): Record<string, unknown> {
  const [step = '', ...rest] = path
  const below = object[step]
  return { ...object, [step]: rest.length === 0 ? value : withValue(isObject(below) ? below : {}, rest, value) }
}
