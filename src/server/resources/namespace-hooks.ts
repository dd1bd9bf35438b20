import type { Hooks } from './built-in-table.ts'

export const NAME_LABEL = 'kubernetes.io/metadata.name'

export const namespaceHooks: Hooks = {
  defaults(object) {
    const meta = object.metadata
    if (meta?.name) meta.labels = { ...meta.labels, [NAME_LABEL]: meta.name }
  },
  prepare(next, old) {
    next.metadata.labels = { ...next.metadata.labels, [NAME_LABEL]: next.metadata.name }
    if (!old) {
      next.spec = { finalizers: ['kubernetes'] }
      next.status = { phase: 'Active' }
      return
    }
    // Only the finalize subresource lets go of a namespace.
    next.spec = old.spec
  },
}
