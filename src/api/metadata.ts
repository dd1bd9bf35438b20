// What Kubernetes asks of every object's metadata; what a kind asks beyond that is in its schema.
import { isObject } from '../lib/json.ts'
import type { Issue, Path } from './issue.ts'
import { nearest } from './nearest.ts'
import { quote, unfilled } from './schema/finding.ts'

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/
const QUALIFIED =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const MOST_ANNOTATION_BYTES = 256 * 1024

const FIELDS = [
  ...['name', 'generateName', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'uid'],
  ...['resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
  ...['managedFields', 'selfLink'],
]

/** `ownName`: the kind's schema looks at the name itself. */
export function checkMetadata(metadata: unknown, ownName: boolean): Issue[] {
  const issues: Issue[] = []
  const wrong = (path: Path, message: string, reason = 'FieldValueInvalid'): void => {
    issues.push({ severity: 'error', path: ['metadata', ...path], message, reason })
  }
  if (metadata === undefined || metadata === null) {
    wrong(['name'], 'is missing', 'FieldValueRequired')
    return issues
  }
  if (!isObject(metadata)) {
    wrong([], `${quote(metadata)} is not an object`, 'FieldValueTypeInvalid')
    return issues
  }
  const text = (key: string): string | undefined => {
    const value = metadata[key]
    if (value === undefined || value === null || (typeof value === 'string' && value !== ''))
      return (value as string) ?? undefined
    if (value !== '')
      wrong(
        [key],
        `${quote(value)} is not a text${typeof value === 'number' ? '; put it in quotes' : ''}`,
        'FieldValueTypeInvalid',
      )
    return undefined
  }
  const before = issues.length
  const name = text('name')
  const stem = text('generateName')
  const namespace = text('namespace')
  if (name === undefined && stem === undefined && issues.length === before)
    wrong(['name'], 'is missing', 'FieldValueRequired')
  if (name !== undefined && !ownName && !(SUBDOMAIN.test(name) && name.length <= 253))
    wrong(
      ['name'],
      name.includes('$(params.')
        ? unfilled(name)
        : `${quote(name)} is no good as a name: use small letters, digits, dashes and dots`,
    )
  if (namespace !== undefined && !(LABEL.test(namespace) && namespace.length <= 63))
    wrong(
      ['namespace'],
      namespace.includes('$(params.')
        ? unfilled(namespace)
        : `${quote(namespace)} is no good as a namespace: use small letters, digits and dashes, at most 63`,
    )
  checkTexts(metadata.labels, 'labels', wrong, (value) => LABEL_VALUE.test(value) && value.length <= 63)
  checkTexts(metadata.annotations, 'annotations', wrong, () => true)
  for (const key of Object.keys(metadata)) {
    if (FIELDS.includes(key)) continue
    const meant = nearest(key, FIELDS)
    const message = `unknown field, it will be dropped${meant ? `; did you mean ${meant}?` : ''}`
    issues.push({ severity: 'warning', path: ['metadata', key], message, atKey: true })
  }
  return issues
}

function checkTexts(
  value: unknown,
  field: string,
  wrong: (path: Path, message: string, reason?: string) => void,
  fits: (value: string) => boolean,
): void {
  if (value === undefined || value === null) return
  if (!isObject(value)) {
    wrong([field], `${quote(value)} is not an object of texts`, 'FieldValueTypeInvalid')
    return
  }
  let bytes = 0
  for (const [key, member] of Object.entries(value)) {
    if (!QUALIFIED.test(key))
      wrong(
        [field, key],
        `"${key}" is no good as a key: letters, digits and -_. with an optional prefix before a slash`,
      )
    if (member === null) continue
    if (typeof member !== 'string')
      wrong([field, key], `${quote(member)} is not a text; put it in quotes`, 'FieldValueTypeInvalid')
    else if (!fits(member))
      wrong(
        [field, key],
        `${quote(member)} is no good here: at most 63 letters, digits and -_. that begin and end with a letter or digit`,
      )
    else bytes += key.length + member.length
  }
  if (field === 'annotations' && bytes > MOST_ANNOTATION_BYTES)
    wrong([field], `${bytes} bytes together, at most ${MOST_ANNOTATION_BYTES} are allowed`)
}
