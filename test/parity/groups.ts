import type { Area, Case } from './case.ts'

export interface GroupCount {
  name: string
  count: number
  least: number
}

/** Each area is one group, but that applying is a way of patching. */
const GROUPS: ReadonlyArray<{ name: string; areas: readonly Area[]; least: number }> = [
  { name: 'create and update', areas: ['write'], least: 60 },
  { name: 'the four patch types', areas: ['patch', 'apply'], least: 100 },
  { name: 'of these server-side apply', areas: ['apply'], least: 40 },
  { name: 'list, selectors, paging', areas: ['list'], least: 50 },
  { name: 'watch', areas: ['watch'], least: 40 },
  { name: 'delete, finalizers, propagation', areas: ['delete'], least: 40 },
  { name: 'definitions: schema, CEL, pruning, defaulting', areas: ['crd'], least: 60 },
  { name: 'errors and bad input', areas: ['errors'], least: 50 },
]

export function countGroups(cases: readonly Case[]): GroupCount[] {
  return GROUPS.map(({ name, areas, least }) => ({
    name,
    count: cases.filter((one) => areas.includes(one.area)).length,
    least,
  }))
}

const MANAGERS = /fieldManager=([a-z0-9-]+)/g
const NAME_FIELDS = new Set(['name', 'generateName', 'fieldManager', 'manager'])

/** Cases of which one would be the other if only things had other names. */
export function findTwins(cases: readonly Case[]): Array<[string, string]> {
  const seen = new Map<string, string>()
  const twins: Array<[string, string]> = []
  for (const one of cases) {
    const title = `${one.area}: ${one.name}`
    const shape = shapeOf(one)
    const first = seen.get(shape)
    if (first !== undefined) twins.push([first, title])
    else seen.set(shape, title)
  }
  return twins
}

/** What a case does, with every name replaced by the order in which it first stands there. */
function shapeOf(one: Case): string {
  const names = collectNames(one.steps, new Set())
  const places = new Map([...names].map((name, i) => [name, `«${i}»`]))
  const rename = (value: unknown, key = ''): unknown => {
    if (key === 'call') for (const [, manager = ''] of String(value).matchAll(MANAGERS)) names.add(manager)
    if (typeof value === 'string' && NAME_FIELDS.has(key)) return places.get(value) ?? value
    if (key === 'call') return renamePath(String(value), places)
    if (Array.isArray(value)) return value.map((item) => rename(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, rename(child, name)]))
  }
  return JSON.stringify(rename(one.steps))
}

/** Only names that could be anything: what is wrong or long about a name is what the case is about. */
function collectNames(value: unknown, names: Set<string>, key = ''): Set<string> {
  if (typeof value === 'string' && NAME_FIELDS.has(key) && /^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$/.test(value))
    names.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const [name, child] of Object.entries(value)) collectNames(child, names, Array.isArray(value) ? '' : name)
  return names
}

function renamePath(call: string, places: ReadonlyMap<string, string>): string {
  const [path = '', query] = call.split('?')
  const steps = path.split('/').map((step) => places.get(step) ?? step)
  const renamed = query?.replace(
    /(fieldManager=|metadata\.name%3D)([a-z0-9-]+)/g,
    (_, field: string, name: string) => field + (places.get(name) ?? name),
  )
  return steps.join('/') + (renamed === undefined ? '' : `?${renamed}`)
}
