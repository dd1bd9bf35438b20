import { sameJson } from '../../lib/json.ts'
import type { ApiObject, Meta } from '../object.ts'
import type { StatusCause } from '../status-error.ts'
import { forbiddenField, immutable, invalidValue, required } from './field-errors.ts'
import { checkLabelValue, checkQualifiedName } from './name-rules.ts'

const STANDARD_FINALIZERS = new Set([
  'kubernetes',
  'orphan',
  'foregroundDeletion',
  'customresourcecleanup.apiextensions.k8s.io',
])
const ANNOTATIONS_LIMIT = 256 * 1024

/** What every object must obey, whatever its kind. */
export function validateMetadata(
  object: ApiObject,
  { checkName, custom }: { checkName: (name: string) => string[]; custom: boolean },
): StatusCause[] {
  const meta = object.metadata
  const causes: StatusCause[] = []
  const add = (field: string, value: unknown, wrong: readonly string[]): void => {
    for (const detail of wrong) causes.push(invalidValue(field, value, detail))
  }
  if (meta.generateName)
    add('metadata.generateName', meta.generateName, checkName(meta.generateName.replace(/-$/, 'a')))
  if (!meta.name) causes.push(required('metadata.name', 'name or generateName is required'))
  else add('metadata.name', meta.name, checkName(meta.name))
  for (const [key, value] of Object.entries(meta.labels ?? {})) {
    add('metadata.labels', key, checkQualifiedName(key))
    add('metadata.labels', value, checkLabelValue(value))
  }
  let size = 0
  for (const [key, value] of Object.entries(meta.annotations ?? {})) {
    add('metadata.annotations', key, checkQualifiedName(key.toLowerCase()))
    size += key.length + value.length
  }
  if (size > ANNOTATIONS_LIMIT) {
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${ANNOTATIONS_LIMIT} bytes`,
      field: 'metadata.annotations',
    })
  }
  causes.push(...validateOwners(meta))
  if (custom) return causes
  meta.finalizers?.forEach((name, i) => {
    add('metadata.finalizers', name, checkQualifiedName(name))
    if (!name.includes('/') && !STANDARD_FINALIZERS.has(name)) {
      add(`metadata.finalizers[${i}]`, name, ['name is neither a standard finalizer name nor is it fully qualified'])
    }
  })
  return causes
}

/** Custom objects are only advised on how to call their finalizers. */
export function adviseFinalizers({ metadata }: ApiObject): string[] {
  return (metadata.finalizers ?? []).flatMap((name) => {
    const at = `metadata.finalizers: ${JSON.stringify(name)}`
    const wrong = checkQualifiedName(name).map((why) => `${at}: ${why}`)
    if (name.includes('/') || STANDARD_FINALIZERS.has(name)) return wrong
    const path = name.includes('.') ? ' including a path (/)' : ''
    const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`
    return [...wrong, `${at}: ${advice}`]
  })
}

function validateOwners(meta: Meta): StatusCause[] {
  const causes: StatusCause[] = []
  let controller: string | undefined
  for (const [i, owner] of (meta.ownerReferences ?? []).entries()) {
    const at = 'metadata.ownerReferences'
    for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (!owner[field]) causes.push(required(`${at}[${i}].${field}`, 'must not be empty'))
    }
    if (owner.controller !== true) continue
    if (controller !== undefined) {
      causes.push(
        invalidValue(
          at,
          meta.ownerReferences,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${owner.kind}/${owner.name}`,
        ),
      )
    }
    controller ??= `${owner.kind}/${owner.name}`
  }
  return causes
}

/** Fields of metadata no update may change are taken from the old object; a different value is an error for some. */
export function validateMetadataUpdate(next: ApiObject, old: ApiObject): StatusCause[] {
  const causes: StatusCause[] = []
  if (next.metadata.uid !== old.metadata.uid) causes.push(immutable('metadata.uid', next.metadata.uid))
  const added = (next.metadata.finalizers ?? []).filter((name) => !(old.metadata.finalizers ?? []).includes(name))
  if (old.metadata.deletionTimestamp && added.length > 0) {
    causes.push(
      forbiddenField(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((a) => JSON.stringify(a)).join(', ')}}`,
      ),
    )
  }
  return causes
}

const OWNED_BY_SERVER = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'selfLink',
] as const

/** The server's own fields are copied from what is stored, whatever the client sent. */
export function keepServerFields(next: Meta, old: Meta): void {
  for (const field of OWNED_BY_SERVER) {
    if (old[field] === undefined) delete next[field]
    else (next as unknown as Record<string, unknown>)[field] = old[field]
  }
  if (old.generateName !== undefined) next.generateName = old.generateName
  else delete next.generateName
}

/** Did anything change that a generation counts? */
export function specChanged(next: ApiObject, old: ApiObject, statusApart: boolean): boolean {
  const bare = (object: ApiObject): Record<string, unknown> => {
    const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...rest } = object
    if (statusApart) delete (rest as Record<string, unknown>).status
    return rest
  }
  return !sameJson(bare(next), bare(old))
}
