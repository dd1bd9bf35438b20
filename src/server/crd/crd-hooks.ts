import type { Hooks } from '../resources/built-in-table.ts'
import type { Definition } from './definition.ts'
import { establish, terminate } from './establish.ts'
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
  prepare(next, old) {
    const definition = next as Definition
    const storage = definition.spec?.versions?.find((version) => version.storage)?.name
    if (!old) definition.status = { conditions: null, acceptedNames: { plural: '', kind: '' } }
    definition.status ??= {}
    const stored = definition.status.storedVersions ?? []
    if (storage && !stored.includes(storage)) definition.status.storedVersions = [...stored, storage]
  },
  validate(next, old) {
    const definition = next as Definition
    const before = old as Definition | undefined
    return [...validateDefinition(definition, before), ...(before ? validateDefinitionUpdate(definition, before) : [])]
  },
  wrote(resource, name, context) {
    establish(resource, name, context)
  },
  terminate(object, now) {
    terminate(object as Definition, now)
  },
}
