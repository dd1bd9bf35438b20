// Acting as somebody else, as a kubeconfig's user may ask for.
import { isObject } from '../lib/json.ts'

/** The headers that say as whom, in full: a name without its groups would have other rights than the one who bears it. */
export function impersonationOf(user: Record<string, unknown>): Record<string, string | string[]> | undefined {
  const { as, 'as-uid': uid, 'as-user-extra': extra } = user
  if (!isText(as)) return undefined
  const groups = textsOf(user['as-groups'])
  return {
    'Impersonate-User': as,
    ...(isText(uid) && { 'Impersonate-Uid': uid }),
    ...(groups.length > 0 && { 'Impersonate-Group': groups }),
    ...Object.fromEntries(
      Object.entries(isObject(extra) ? extra : {}).map(([key, values]) => [
        `Impersonate-Extra-${encodeURIComponent(key)}`,
        textsOf(values),
      ]),
    ),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}
