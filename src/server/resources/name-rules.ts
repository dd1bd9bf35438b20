const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'

const label = new RegExp(`^${LABEL}$`)
const label1035 = new RegExp(`^${LABEL_1035}$`)
const subdomain = new RegExp(`^${LABEL}(\\.${LABEL})*$`)
const qualified = new RegExp(`^${QUALIFIED}$`)

const tooLong = (limit: number): string => `must be no more than ${limit} bytes`

/** Each returns what is wrong with the name, in the apiserver's words; nothing if it is fine. */
export function checkSubdomain(name: string): string[] {
  const wrong: string[] = []
  if (name.length > 253) wrong.push('must be no more than 253 characters')
  if (!subdomain.test(name)) {
    wrong.push(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    )
  }
  return wrong
}

export function checkLabelName(name: string): string[] {
  const wrong: string[] = []
  if (name.length > 63) wrong.push(tooLong(63))
  if (!label.test(name)) {
    wrong.push(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    )
  }
  return wrong
}

export function checkLabel1035(name: string): string[] {
  const wrong: string[] = []
  if (name.length > 63) wrong.push(tooLong(63))
  if (!label1035.test(name)) {
    wrong.push(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    )
  }
  return wrong
}

export function checkPortName(name: string): string[] {
  const wrong: string[] = []
  if (name.length > 15) wrong.push(tooLong(15))
  if (!/^[-a-z0-9]+$/.test(name)) wrong.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(name)) wrong.push('must contain at least one letter (a-z)')
  if (name.includes('--')) wrong.push('must not contain consecutive hyphens')
  if (/^-|-$/.test(name)) wrong.push('must not begin or end with a hyphen')
  return wrong
}

/** Names of resources whose storage only forbids what would break a path. */
export function checkPathSegment(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`)
}

export function checkQualifiedName(name: string): string[] {
  const parts = name.split('/')
  const wrong: string[] = []
  if (parts.length > 2) {
    return [
      "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ]
  }
  const [prefix, own] = parts.length === 2 ? [parts[0], parts[1]] : [undefined, parts[0]]
  if (prefix !== undefined) {
    if (prefix === '') wrong.push('prefix part must be non-empty')
    else wrong.push(...checkSubdomain(prefix).map((text) => `prefix part ${text}`))
  }
  if (own === undefined || own === '') wrong.push('name part must be non-empty')
  else if (own.length > 63) wrong.push(`name part ${tooLong(63)}`)
  if (!qualified.test(own ?? '')) {
    wrong.push(
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    )
  }
  return wrong
}

export function checkLabelValue(value: string): string[] {
  const wrong: string[] = []
  if (value.length > 63) wrong.push(tooLong(63))
  if (value !== '' && !qualified.test(value)) {
    wrong.push(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    )
  }
  return wrong
}
