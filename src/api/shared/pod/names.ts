// What Kubernetes takes as a name, by what is named: undefined where it is good, otherwise what it has to be.
import { quote, unfilled } from '../../schema/finding.ts'

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const NAME_PART = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/
const LONGEST_SUBDOMAIN = 253
const LONGEST_PORT_NAME = 15

export function wrongLabel(name: string): string | undefined {
  return LABEL.test(name) ? undefined : bad(name, 'small letters, digits and dashes, at most 63')
}

export function wrongSubdomain(name: string): string | undefined {
  if (SUBDOMAIN.test(name) && name.length <= LONGEST_SUBDOMAIN) return undefined
  return bad(name, 'small letters, digits, dashes and dots')
}

export function wrongPortName(name: string): string | undefined {
  const good =
    name.length <= LONGEST_PORT_NAME && /^[a-z0-9-]+$/.test(name) && /[a-z]/.test(name) && !/^-|--|-$/.test(name)
  return good
    ? undefined
    : bad(name, `small letters, digits and single dashes, at most ${LONGEST_PORT_NAME}, one a letter`)
}

export function wrongVariable(name: string): string | undefined {
  return /^[\x20-\x3c\x3e-\x7e]+$/.test(name) ? undefined : bad(name, 'printable ASCII without =')
}

export function wrongConfigKey(key: string): string | undefined {
  const good = /^[-._a-zA-Z0-9]+$/.test(key) && key.length <= LONGEST_SUBDOMAIN && key !== '.' && !key.startsWith('..')
  return good ? undefined : bad(key, 'letters, digits and -_.')
}

/** `cpu`, `nvidia.com/gpu`, `app.kubernetes.io/name`. */
export function wrongQualifiedName(name: string): string | undefined {
  const parts = name.split('/')
  const [prefix, part = ''] = parts.length > 1 ? parts : [undefined, name]
  const good =
    parts.length <= 2 && NAME_PART.test(part) && (prefix === undefined || wrongSubdomain(prefix) === undefined)
  return good ? undefined : bad(name, 'letters, digits and -_. with an optional prefix before a slash')
}

export function wrongLabelValue(value: string): string | undefined {
  if (LABEL_VALUE.test(value)) return undefined
  return bad(value, 'at most 63 letters, digits and -_. that begin and end with a letter or digit')
}

function bad(text: string, use: string): string {
  return text.includes('$(params.') ? unfilled(text) : `${quote(text)} is no good here: use ${use}`
}
