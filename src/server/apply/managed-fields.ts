import { sameJson } from '../../lib/json.ts'
import { type ApiObject, type ManagedFieldsEntry, timestamp } from '../object.ts'
import { badRequest } from '../status-error.ts'
import { FieldSet } from './field-set.ts'

/** Who owns which fields: one entry per manager, operation, version and subresource. */
export interface Manager {
  entry: Omit<ManagedFieldsEntry, 'fieldsV1' | 'fieldsType'>
  fields: FieldSet
}

const META_FIELDS = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]

/** Nobody ever owns these: they identify the object or are the server's. */
const UNOWNED = new FieldSet()
for (const field of ['apiVersion', 'kind', 'metadata']) UNOWNED.add([`f:${field}`])
for (const field of META_FIELDS) UNOWNED.add(['f:metadata', `f:${field}`])

/** What nobody owns is nobody's to take away. */
export const withUnowned = (fields: FieldSet): FieldSet => fields.union(UNOWNED)

export const withoutUnowned = (fields: FieldSet): FieldSet => fields.minus(UNOWNED)

export function readManagers(object: ApiObject): Manager[] {
  return (object.metadata.managedFields ?? []).map((entry, i) => {
    const { fieldsV1, fieldsType: _fieldsType, ...rest } = entry
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      throw badRequest(
        `metadata.managedFields[${i}].operation: Invalid value: "${entry.operation ?? ''}": must be \`Apply\` or \`Update\``,
      )
    }
    return { entry: rest, fields: FieldSet.fromJson(fieldsV1 ?? {}) }
  })
}

/** Sorted as the apiserver does: Apply before Update, then oldest first, then by name. */
export function writeManagers(object: ApiObject, managers: readonly Manager[]): void {
  const entries = managers
    .filter((manager) => !manager.fields.isEmpty)
    .map(({ entry, fields }): ManagedFieldsEntry => {
      const { subresource, ...rest } = entry
      return { ...rest, fieldsType: 'FieldsV1', fieldsV1: fields.toJson(), ...(subresource ? { subresource } : {}) }
    })
  const order = (e: ManagedFieldsEntry): string =>
    [e.operation === 'Apply' ? '0' : '1', e.time ?? '', e.manager, e.apiVersion, e.subresource].join('\u0000')
  entries.sort((a, b) => (order(a) < order(b) ? -1 : 1))
  if (entries.length > 0) object.metadata.managedFields = entries
  else delete object.metadata.managedFields
}

export const sameManager = (a: Manager['entry'], b: Manager['entry']): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  a.apiVersion === b.apiVersion &&
  (a.subresource ?? '') === (b.subresource ?? '')

/** A new time only where the set changed, so that a write without effect stays without effect. */
export function withTime(manager: Manager, before: readonly Manager[], now: number): Manager {
  const same = before.find((old) => sameManager(old.entry, manager.entry))
  const time = same?.entry.time && same.fields.equals(manager.fields) ? same.entry.time : timestamp(now)
  return { ...manager, entry: { ...manager.entry, time } }
}

/** Equal but for who manages it since when, and the revision? */
export function sameButManagement(a: ApiObject, b: ApiObject): boolean {
  const bare = (object: ApiObject): unknown => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: undefined, managedFields: undefined },
  })
  return sameJson(bare(a), bare(b))
}

export function sameManagers(a: ApiObject, b: ApiObject): boolean {
  const bare = (object: ApiObject): unknown =>
    (object.metadata.managedFields ?? []).map((entry) => ({ ...entry, time: undefined }))
  return sameJson(bare(a), bare(b))
}
