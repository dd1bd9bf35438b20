// Objects that are none of our kinds: a slip of the pen, or something else that lies in the same file.
import type { Issue } from './issue.ts'
import { kinds } from './kinds.ts'
import { nearest } from './nearest.ts'
import { quote } from './schema/finding.ts'

const apiVersions = kinds.flatMap((kind) => kind.versions.map((version) => `${kind.group}/${version.name}`))
const ourGroups = new Set(kinds.map((kind) => kind.group))

/** Groups of Kubernetes itself have no dot or end in k8s.io. */
const isKubernetes = (apiVersion: string): boolean =>
  /^([a-z]+\/|[a-z0-9.-]+\.k8s\.io\/)?v\d+((alpha|beta)\d+)?$/.test(apiVersion)

export function checkKind(object: Record<string, unknown>): Issue[] {
  const { apiVersion, kind } = object
  const error = (field: 'apiVersion' | 'kind', message: string): Issue[] => [
    { severity: 'error', path: [field], message },
  ]
  if (kind === undefined || kind === null || kind === '') return error('kind', 'is missing')
  if (typeof kind !== 'string') return error('kind', `${quote(kind)} is not a text`)
  const own = kinds.filter((candidate) => candidate.kind === kind)
  const versions = own.flatMap((candidate) => candidate.versions.map((version) => `${candidate.group}/${version.name}`))
  if (apiVersion === undefined || apiVersion === null || apiVersion === '')
    return error('apiVersion', `is missing${versions.length > 0 ? `; a ${kind} is ${versions.join(' or ')}` : ''}`)
  if (typeof apiVersion !== 'string') return error('apiVersion', `${quote(apiVersion)} is not a text`)
  const group = apiVersion.split('/')[0]!
  // A name like ours in a group that is nobody's: the group or the version was mistyped.
  if (versions.length > 0 && (ourGroups.has(group) || nearest(apiVersion, versions)))
    return error('apiVersion', `${quote(apiVersion)} has no ${kind}; it is ${versions.join(' or ')}`)
  const groupKinds = kinds.filter((candidate) => candidate.group === group)
  if (groupKinds.length > 0) {
    const names = groupKinds.map((candidate) => candidate.kind)
    const meant = nearest(kind, names)
    const known =
      names.length === 1 ? `is not known here, of ${group} only ${names[0]} is` : `is not one of ${names.join(', ')}`
    return error('kind', `${quote(kind)} ${known}${meant ? `; did you mean ${meant}?` : ''}`)
  }
  const meantVersion = nearest(apiVersion, apiVersions)
  if (meantVersion) return error('apiVersion', `${quote(apiVersion)} is unknown; did you mean ${meantVersion}?`)
  const meantKind = nearest(
    kind,
    kinds.map((candidate) => candidate.kind),
  )
  if (isKubernetes(apiVersion) && !meantKind) return []
  if (meantKind && !isKubernetes(apiVersion))
    return error('kind', `${quote(kind)} is unknown; did you mean ${meantKind}?`)
  if (isKubernetes(apiVersion)) return []
  return [
    {
      severity: 'warning',
      path: ['kind'],
      message: `a ${kind} of ${apiVersion} is not known here and was not checked`,
    },
  ]
}
