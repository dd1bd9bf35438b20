// What the apiserver has written down of who asked for what.
import { readFileSync } from 'node:fs'
import type { Pod } from '../../gen/kubernetes-types.ts'
import { type MadePod, madePod } from './made-pods.ts'

export interface AuditEntry {
  stage: string
  verb: string
  user: { username: string }
  objectRef?: { apiGroup?: string; resource: string; subresource?: string; namespace?: string; name?: string }
  responseStatus?: { code?: number; reason?: string }
  requestObject?: unknown
}

export function readAuditLog(file: string, user: string): AuditEntry[] {
  const entries: AuditEntry[] = []
  // Behind the last line end the API may just be writing.
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    if (!line.includes(JSON.stringify(user))) continue
    const entry = JSON.parse(line) as AuditEntry
    if (entry.user.username === user) entries.push(entry)
  }
  return entries
}

/**
 * The pods whose creation the apiserver has answered with success. Where the asker died before the answer it says 504,
 * whether the pod was made or not.
 */
export function podsGranted(entries: readonly AuditEntry[], namespace: string): MadePod[] {
  return entries
    .filter(({ verb, objectRef: at, responseStatus }) => {
      const created = verb === 'create' && at?.resource === 'pods' && !at.subresource
      return created && at.namespace === namespace && responseStatus?.code === 201
    })
    .map(({ requestObject }) => madePod(requestObject as Pod))
}
