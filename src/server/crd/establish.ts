import { sameJson } from '../../lib/json.ts'
import { trackUpdate } from '../apply/track.ts'
import { parseObject } from '../object.ts'
import type { HookContext, Resource } from '../resources/resource.ts'
import type { Store } from '../store/store.ts'
import { inStorageVersion } from '../verbs/versions.ts'
import { CLEANUP_FINALIZER, type Condition, type Definition } from './definition.ts'
import { conditionOf, decideNames, isTrue, setCondition, takenNames } from './names.ts'

export const MANAGER = 'kube-apiserver'

type Status = NonNullable<Definition['status']>

function readDefinition(store: Store, resource: Resource, name: string): Definition | undefined {
  const row = store.get({ resource: resource.storageKey, namespace: '', name })
  return row && (parseObject(row.body) as Definition)
}

/** A step of the server's own: it shows in the history and in managedFields as it does on a cluster. */
function writeStatus(
  resource: Resource,
  definition: Definition,
  { store, now }: HookContext,
  change: (status: Status) => void,
): Definition {
  const status = structuredClone(definition.status ?? {})
  change(status)
  if (sameJson(status, definition.status)) return definition
  // Schemas are long: the rest is shared, and nobody here writes to it.
  const next = { ...definition, metadata: { ...definition.metadata }, status }
  trackUpdate(resource, definition, next, { manager: MANAGER, subresource: 'status', now })
  store.put({ resource: resource.storageKey, namespace: '', name: next.metadata.name }, (rev) => {
    next.metadata.resourceVersion = String(rev)
    return inStorageVersion(resource, next)
  })
  return next
}

/**
 * Accepts the names that are free and establishes the kind. It belongs to the write that called for it: who gets an
 * answer to that write finds the kind served.
 */
export function establish(resource: Resource, name: string, context: HookContext): void {
  const definition = readDefinition(context.store, resource, name)
  if (!definition || definition.metadata.deletionTimestamp) return
  const others = context.store
    .list({ resource: resource.storageKey, limit: 1_000_000 })
    // A definition's name ends with its group.
    .filter((row) => row.name !== name && row.name.endsWith(`.${definition.spec.group}`))
    .map((row) => parseObject(row.body) as Definition)
  const { names, condition } = decideNames(definition, takenNames(others))
  const accepted = condition.status === 'True'
  const named = writeStatus(resource, definition, context, (status) => {
    status.acceptedNames = names
    setCondition(status, condition, context.now)
    const { message = '', reason = '' } = accepted ? INSTALLING : NOT_ACCEPTED
    const had = conditionOf(definition, 'Established')
    if (had?.status !== 'True' && (accepted || !had))
      setCondition(status, { type: 'Established', status: 'False', reason, message }, context.now)
  })
  if (!accepted || isTrue(named, 'Established')) return
  writeStatus(resource, named, context, (status) => {
    setCondition(status, ESTABLISHED, context.now)
  })
}

const INSTALLING: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
}
const ESTABLISHED: Condition = { ...INSTALLING, status: 'True', reason: 'InitialNamesAccepted' }
const NOT_ACCEPTED: Condition = { ...INSTALLING, reason: 'NotAccepted', message: 'not all names are accepted' }

/** Of a definition whose names nobody else has. */
export function establishedStatus(definition: Definition, now: number): Status {
  const { names, condition } = decideNames(definition, takenNames([]))
  const storedVersions = definition.spec.versions.filter(({ storage }) => storage).map((version) => version.name)
  const status: Status = { conditions: null, acceptedNames: names, storedVersions }
  for (const each of [condition, ESTABLISHED]) setCondition(status, each, now)
  return status
}

/** The first request to delete a definition: its instances go before it does. */
export function terminate(definition: Definition, now: number): void {
  const { finalizers = [] } = definition.metadata
  if (!finalizers.includes(CLEANUP_FINALIZER)) definition.metadata.finalizers = [...finalizers, CLEANUP_FINALIZER]
  definition.status ??= {}
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon'
  setCondition(
    definition.status,
    { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message },
    now,
  )
}

export function markEmptying(resource: Resource, name: string, context: HookContext): void {
  const definition = readDefinition(context.store, resource, name)
  const message = 'CustomResource deletion is in progress'
  if (definition?.metadata.deletionTimestamp)
    writeStatus(resource, definition, context, (status) => {
      setCondition(
        status,
        { type: 'Terminating', status: 'True', reason: 'InstanceDeletionInProgress', message },
        context.now,
      )
    })
}
