// What may differ between two servers that do the same: the only such list. Values are replaced, not dropped, so that
// a field that is there on one side alone is still seen.

const REPLACED: Record<string, string> = {
  uid: '<uid>',
  resourceVersion: '<revision>',
  creationTimestamp: '<time>',
  deletionTimestamp: '<time>',
  lastTransitionTime: '<time>',
  time: '<time>',
  clusterIP: '<address>',
  continue: '<continue>',
  storageVersionHash: '<hash>',
  // Of printed columns: prose.
  description: '<text>',
}

const IN_TEXT: ReadonlyArray<[RegExp, string]> = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/^\d+s$/g, '<age>'],
  // Several causes come in any order; they are compared one by one.
  [/ is invalid: \[.*\]$/gs, ' is invalid: [<causes>]'],
  [/\b10\.96\.\d+\.\d+\b/g, '<address>'],
  [/(resource version: )\d+( \(\d+\))?/g, '$1<revision>'],
  [/(ResourceVersion in (?:precondition|object meta): )\d+/g, '$1<revision>'],
  [/(\\"resourceVersion\\":\\")\d+/g, '$1<revision>'],
  [/(, current: )\d+/g, '$1<revision>'],
  [/(ResourceVersion in record )\(\d+\)/g, '$1(<revision>)'],
]

/** Bookmarks come by the clock, but for the one that ends the initial events. */
export const isByTheClock = (line: string): boolean =>
  line.startsWith('{"type":"BOOKMARK"') && !line.includes('k8s.io/initial-events-end')

export function normalize(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'description' || (key in REPLACED && value !== '' && value !== 'None')) return REPLACED[key]
    return IN_TEXT.reduce((text, [pattern, by]) => text.replace(pattern, by), value)
  }
  // Entries of one second come in any order.
  if (Array.isArray(value) && (key === 'managedFields' || key === 'causes'))
    return value.map((item) => normalize(item)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (Array.isArray(value)) return value.map((item) => normalize(item, key === 'clusterIPs' ? 'clusterIP' : ''))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, child]): [string, unknown] => [
    normalize(name) as string,
    normalize(child, name),
  ])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
