import { type ApiObject, valueAt } from '../object.ts'
import type { Resource } from '../resources/resource.ts'
import { badRequest } from '../status-error.ts'

export interface FieldSelector {
  matches: (object: ApiObject) => boolean
  isEmpty: boolean
}

/** `status.phase=Running,spec.nodeName!=a`; only the fields a resource declares. */
export function parseFieldSelector(text: string | null, resource: Resource): FieldSelector {
  if (!text?.trim()) return { matches: () => true, isEmpty: true }
  const parts = splitTerms(text).map((term) => parseTerm(term, resource))
  return { matches: (object) => parts.every((part) => part(object)), isEmpty: parts.length === 0 }
}

function splitTerms(text: string): string[] {
  const terms = text.match(/(?:\\.|[^,\\])+/g) ?? []
  return terms.filter((term) => term.trim() !== '')
}

function parseTerm(term: string, resource: Resource): (object: ApiObject) => boolean {
  const match = /^([^=!]+)(==|=|!=)(.*)$/s.exec(term)
  if (!match) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`)
  const [, field = '', operator, raw = ''] = match
  const path = pathOf(field, resource)
  const value = raw.replace(/\\([\\,=])/g, '$1')
  const read = (object: ApiObject): string => {
    const found = valueAt(object, path)
    return found === undefined || found === null
      ? field === 'spec.hostNetwork' || field === 'spec.unschedulable'
        ? 'false'
        : ''
      : String(found)
  }
  return operator === '!=' ? (object) => read(object) !== value : (object) => read(object) === value
}

function pathOf(field: string, resource: Resource): readonly string[] {
  if (field === 'metadata.name') return ['metadata', 'name']
  if (field === 'metadata.namespace' && resource.namespaced) return ['metadata', 'namespace']
  if (resource.kind === 'Event' && field === 'source') return ['source', 'component']
  const own = Object.hasOwn(resource.selectableFields, field) ? resource.selectableFields[field] : undefined
  if (own) return own

  // Kinds that select by nothing of their own say what everybody selects by.
  throw Object.keys(resource.selectableFields).length === 0 && !resource.custom
    ? badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`)
    : badRequest(`field label not supported: ${field}`)
}
