import { sameJson } from '../../lib/json.ts'
import { type ApiObject, timestamp } from '../object.ts'
import { groupVersion, type Resource } from '../resources/resource.ts'
import { emptyLikeGo } from '../schema/go-shape.ts'
import type { TypedSchema } from '../schema/kubernetes-schemas.ts'
import { StatusError } from '../status-error.ts'
import { compare, fieldsOf } from './compare.ts'
import { FieldSet, fieldPathText } from './field-set.ts'
import {
  type Manager,
  readManagers,
  sameManager,
  withoutUnowned,
  withTime,
  withUnowned,
  writeManagers,
} from './managed-fields.ts'
import { mergeApplied, prune } from './merge.ts'

export interface Writer {
  manager: string
  subresource: string | undefined
  now: number
}

/** Managers are capped: beyond this many the oldest updates are merged into one. */
const MAX_UPDATE_MANAGERS = 10
const ANCIENT = 'ancient-changes'

/** What ownership must know about a kind. */
export type Tracked = Pick<Resource, 'group' | 'version' | 'schema' | 'definition' | 'custom' | 'statusSubresource'>

/** An ordinary write: its author owns what it changed, and others lose it. */
export function trackUpdate(resource: Tracked, before: ApiObject | undefined, after: ApiObject, writer: Writer): void {
  const managers = before ? readManagers(before) : []
  if (before && isFreshStart(after.metadata.managedFields)) {
    delete after.metadata.managedFields
    return
  }
  if (before && managers.length === 0) return
  const live = before ?? emptyObject(resource)
  const change = compare(resource.schema, withoutManagement(live), withoutManagement(after))
  const changed = withoutReset(resource, writer.subresource, change.added.union(change.modified))
  const entry: Manager['entry'] = {
    manager: writer.manager,
    operation: 'Update',
    apiVersion: groupVersion(resource),
    ...(writer.subresource ? { subresource: writer.subresource } : {}),
  }
  const others = managers
    .filter((m) => !sameManager(m.entry, entry))
    .map((m) => ({ ...m, fields: m.fields.minus(changed).minus(change.removed) }))
  const own = managers.find((m) => sameManager(m.entry, entry))?.fields ?? new FieldSet()
  const fields = withoutUnowned(own.union(changed).minus(change.removed))
  const self = withTime({ entry, fields }, managers, writer.now)
  writeManagers(after, capped([...others, self]))
}

/** A list of nothing, or of nothing but empty entries, is the way to ask for a fresh start. */
export const isFreshStart = (entries: unknown): boolean =>
  Array.isArray(entries) && entries.every((entry) => sameJson(entry, {}))

function capped(managers: Manager[]): Manager[] {
  const updates = managers.filter((m) => m.entry.operation === 'Update' && !m.fields.isEmpty)
  if (updates.length <= MAX_UPDATE_MANAGERS) return managers
  const oldest = updates
    .sort((a, b) => ((a.entry.time ?? '') < (b.entry.time ?? '') ? -1 : 1))
    .slice(0, updates.length - MAX_UPDATE_MANAGERS + 1)
  const fields = oldest.reduce((all, m) => all.union(m.fields), new FieldSet())
  const last = oldest[oldest.length - 1]
  const entry = { ...last?.entry, manager: ANCIENT, operation: 'Update' as const }
  delete entry.subresource
  return [...managers.filter((m) => !oldest.includes(m)), { entry, fields }]
}

export interface ApplyResult {
  object: ApiObject
  /** Writes managers into the object once defaults and the server's own fields are in it. */
  finish: (final: ApiObject) => void
}

/** A server-side apply of `config` on `live` (absent on creation). */
export function applyConfiguration(
  resource: Resource,
  live: ApiObject | undefined,
  config: Record<string, unknown>,
  writer: Writer & { force: boolean },
): ApplyResult {
  const { schema } = resource
  const before = live ? adoptUnmanaged(resource, live, writer.now) : []
  const entry: Manager['entry'] = {
    manager: writer.manager,
    operation: 'Apply',
    apiVersion: groupVersion(resource),
    ...(writer.subresource ? { subresource: writer.subresource } : {}),
  }
  const applied = withoutUnowned(withoutReset(resource, writer.subresource, fieldsOf(schema, config)))
  const previous = before.find((m) => sameManager(m.entry, entry))?.fields ?? new FieldSet()
  let others = before.filter((m) => !sameManager(m.entry, entry))
  const bare = withoutManagement(live ?? emptyOf(config))
  const merged = mergeApplied(schema, bare, config)
  const kept = others.reduce((all, m) => all.union(m.fields), applied)
  const object = prune(schema, merged, previous, withUnowned(kept)) as ApiObject
  const change = compare(schema, bare, object)
  const changed = withoutReset(resource, writer.subresource, change.added.union(change.modified))
  const conflicts = others.map((m) => ({ manager: m, fields: m.fields.and(changed) })).filter((c) => !c.fields.isEmpty)
  if (conflicts.length > 0 && !writer.force && !allowedByLastApplied(schema, live, writer.manager, conflicts)) {
    throw conflictError(conflicts)
  }
  others = others.map((m) => ({ ...m, fields: m.fields.minus(changed).minus(change.removed) }))
  // Applying what is there already is no deed: the time of the last one stays.
  const isChange = !live || !sameJson(object, bare)
  const last = before.find((m) => sameManager(m.entry, entry))?.entry.time
  const time = isChange ? { time: timestamp(writer.now) } : last ? { time: last } : {}
  const finish = (final: ApiObject): void => {
    writeManagers(final, [...others, { entry: { ...entry, ...time }, fields: applied }])
  }
  return { object, finish }
}

/** Fields of an object nobody manages yet belong to an unnamed forerunner, so that applying can conflict with them. */
function adoptUnmanaged(resource: Resource, live: ApiObject, now: number): Manager[] {
  const managers = readManagers(live)
  if (managers.length > 0) return managers
  const copy = structuredClone(live)
  trackUpdate(resource, undefined, copy, { manager: 'before-first-apply', subresource: undefined, now })
  return readManagers(copy)
}

/** kubectl moving an object from client-side to server-side apply may take over what its annotation lists. */
function allowedByLastApplied(
  schema: TypedSchema,
  live: ApiObject | undefined,
  manager: string,
  conflicts: ReadonlyArray<{ fields: FieldSet }>,
): boolean {
  const last = live?.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']
  if (manager !== 'kubectl' || !last) return false
  try {
    const allowed = fieldsOf(schema, JSON.parse(last))
    return conflicts.every((c) => c.fields.minus(allowed).isEmpty)
  } catch {
    return false
  }
}

export function conflictError(conflicts: ReadonlyArray<{ manager: Manager; fields: FieldSet }>): StatusError {
  const each = conflicts.flatMap(({ manager, fields }) =>
    [...fields.paths()].map((path) => ({ who: managerText(manager.entry), field: fieldPathText(path) })),
  )
  const causes = each.map(({ who, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${who}`,
    field,
  }))
  const first = each[0]
  if (each.length === 1 && first) {
    return new StatusError(
      409,
      'Conflict',
      `Apply failed with 1 conflict: conflict with ${first.who}: ${first.field}`,
      { causes },
    )
  }
  const lines = [...Map.groupBy(each, (c) => c.who)].flatMap(([who, all]) => [
    `conflicts with ${who}:`,
    ...all.map((c) => `- ${c.field}`),
  ])
  return new StatusError(409, 'Conflict', `Apply failed with ${each.length} conflicts: ${lines.join('\n')}`, { causes })
}

function managerText(entry: Manager['entry']): string {
  const name = JSON.stringify(entry.manager ?? '')
  const whom = entry.subresource ? `${name} with subresource ${JSON.stringify(entry.subresource)}` : name
  return entry.operation === 'Update' ? `${whom} using ${entry.apiVersion}` : whom
}

/** A write to the object proper cannot own its status, one to a subresource cannot own the rest. */
function withoutReset(resource: Tracked, subresource: string | undefined, fields: FieldSet): FieldSet {
  const out = new FieldSet()
  for (const [step, child] of fields.children) {
    const isStatus = step === 'f:status'
    const keep = subresource === 'status' ? step !== 'f:spec' : !(isStatus && resource.statusSubresource)
    if (keep) out.children.set(step, child)
  }
  return out
}

function withoutManagement(object: ApiObject | Record<string, unknown>): Record<string, unknown> {
  const metadata = { ...(object.metadata as Record<string, unknown> | undefined) }
  delete metadata.managedFields
  return { ...object, metadata }
}

const emptyOf = (config: Record<string, unknown>): Record<string, unknown> => ({
  apiVersion: config.apiVersion,
  kind: config.kind,
  metadata: {},
})

/**
 * What Go writes for an empty built-in object: structs and fields without omitempty are there already,
 * so creating an object does not "add" them. Custom objects start from nothing.
 */
function emptyObject(resource: Tracked): Record<string, unknown> {
  return { ...(resource.custom ? {} : emptyLikeGo(resource.definition)), apiVersion: '', kind: '', metadata: {} }
}
