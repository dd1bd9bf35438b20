import type { Api } from '../api.ts'
import { parseObject } from '../object.ts'
import { CLAIM_PROTECTION } from '../resources/claim-hooks.ts'
import { writeObject } from '../verbs/update.ts'

const PAGE = 500

/** A claim that is being deleted goes when the last pod that was given to a node with it has gone. */
export function releaseClaim(api: Api, namespace: string, name: string): boolean {
  const resource = api.registry.find('', 'v1', 'persistentvolumeclaims')
  const row = api.store.get({ resource: 'persistentvolumeclaims', namespace, name })
  if (!resource || !row) return true
  const claim = parseObject(row.body)
  const { finalizers = [], deletionTimestamp } = claim.metadata
  if (!deletionTimestamp || !finalizers.includes(CLAIM_PROTECTION)) return true
  if (isUsed(api, namespace, name)) return false
  const left = finalizers.filter((finalizer) => finalizer !== CLAIM_PROTECTION)
  if (left.length > 0) claim.metadata.finalizers = left
  else delete claim.metadata.finalizers
  writeObject(api, resource, { namespace, name }, claim)
  return true
}

function isUsed(api: Api, namespace: string, name: string): boolean {
  let after: { namespace: string; name: string } | undefined
  for (;;) {
    const rows = api.store.list({ resource: 'pods', namespace, after, limit: PAGE })
    for (const row of rows) {
      if (!row.body.includes('"persistentVolumeClaim"')) continue
      const { spec } = parseObject(row.body) as {
        spec?: { nodeName?: string; volumes?: Array<{ persistentVolumeClaim?: { claimName?: string } }> }
      }
      if (spec?.nodeName && spec.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name))
        return true
    }
    if (rows.length < PAGE) return false
    after = rows.at(-1)
  }
}
