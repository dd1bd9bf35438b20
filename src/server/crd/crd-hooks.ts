import { timestamp } from '../object.ts'
import type { Hooks } from '../resources/built-in-table.ts'
import { CLEANUP_FINALIZER, type Definition } from './definition.ts'
import { validateDefinition, validateDefinitionUpdate } from './validate-definition.ts'

export const crdHooks: Hooks = {
  defaults(object) {
    const definition = object as Definition
    const names = definition.spec?.names
    if (!names) return
    if (!names.singular && names.kind) names.singular = names.kind.toLowerCase()
    if (!names.listKind && names.kind) names.listKind = `${names.kind}List`
    definition.spec.conversion ??= { strategy: 'None' }
    if (definition.spec.preserveUnknownFields === false) delete definition.spec.preserveUnknownFields
  },
  prepare(next, old, { now }) {
    const definition = next as Definition
    const finalizers = definition.metadata.finalizers ?? []
    if (!old && !finalizers.includes(CLEANUP_FINALIZER))
      definition.metadata.finalizers = [...finalizers, CLEANUP_FINALIZER]
    if (!definition.spec?.versions || !definition.spec.names) return
    definition.status = buildStatus(definition, old as Definition | undefined, now)
  },
  validate(next, old) {
    const causes = validateDefinition(next as Definition)
    return old && causes.length === 0 ? validateDefinitionUpdate(next as Definition, old as Definition) : causes
  },
}

/** Names are accepted and the kind is served as soon as the definition is stored: there is nobody to wait for. */
function buildStatus(definition: Definition, old: Definition | undefined, now: number): Definition['status'] {
  const storage = definition.spec.versions.find((version) => version.storage)?.name
  const stored = new Set(old?.status?.storedVersions ?? [])
  if (storage) stored.add(storage)
  const before = old?.status?.conditions
  const condition = (type: string, reason: string, message: string) =>
    before?.find((c) => c.type === type) ?? {
      type,
      status: 'True',
      reason,
      message,
      lastTransitionTime: timestamp(now),
    }
  const others = (before ?? []).filter((c) => c.type !== 'NamesAccepted' && c.type !== 'Established')
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
      ...others,
    ],
    acceptedNames: structuredClone(definition.spec.names),
    storedVersions: [...stored],
  }
}
