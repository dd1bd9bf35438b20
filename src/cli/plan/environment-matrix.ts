// What the framework will find in its environment: variables down, replicas across.
import type { EnvVar, Pod } from '../../../gen/kubernetes-types.ts'
import type { JobModel } from '../../core/job-model.ts'
import type { Place } from '../../core/slots.ts'
import { groupBy } from '../../lib/group-by.ts'
import { isObject } from '../../lib/json.ts'
import type { Style } from '../output/terminal.ts'
import { cut, padEnd, printable } from '../output/text.ts'
import { runs } from './ranges.ts'
import { starred } from './starred.ts'

const SHOWN = 4
const NAME_WIDTH = 12
const CELL_WIDTH = 16

type Row = Place & { values: Map<string, string> }

export function renderEnvironment(
  model: JobModel,
  pods: readonly Pod[],
  replicas: ReadonlyMap<string, Place>,
  style: Style,
): string[] {
  const rows = pods.flatMap((pod): Row[] => {
    const replica = replicas.get(pod.metadata?.name ?? '')
    if (!replica) return []
    return [{ ...replica, values: injectedValues(model, pod, replica) }]
  })
  const names = [...new Set(rows.flatMap((row) => [...row.values.keys()]))].sort()
  if (names.length === 0) return []
  const shown = choose(rows)
  const first = Math.max(NAME_WIDTH, ...names.map((name) => name.length)) + 2
  const alike = new Set(
    names.filter((name) => rows.length > 1 && rows.every((row) => row.values.get(name) === rows[0]!.values.get(name))),
  )
  const differing = names.filter((name) => !alike.has(name))
  const widest = Math.max(
    CELL_WIDTH,
    ...shown.flatMap((row) => differing.map((name) => row.values.get(name)?.length ?? 0)),
  )
  const fitting = Math.floor((style.width - first - 2 * (shown.length - 1)) / shown.length)
  const width = Math.max(4, Math.min(widest, fitting))
  const line = (cells: string[]) => cells.map((cell) => padEnd(cut(cell, width, style.ellipsis), width)).join('  ')
  const title = `${padEnd('ENVIRONMENT', first)}${line(shown.map((row) => row.key))}`.trimEnd()
  const header = style.paint('dim', cut(title, style.width, style.ellipsis))
  const body = names.map((name) => {
    const room = style.width - first - ', all alike'.length
    const values = alike.has(name)
      ? `${cut(rows[0]!.values.get(name)!, room, style.ellipsis)}, all alike`
      : line(shown.map((row) => row.values.get(name) ?? '-'))
    return cut(`${padEnd(name, first)}${values}`.trimEnd(), style.width, style.ellipsis)
  })
  return [header, ...body, ...restWords(rows, shown, names, style)]
}

/** The first of every type, then the lowest ranks; in order of rank. */
function choose(rows: readonly Row[]): Row[] {
  const chosen = new Set<Row>()
  for (const row of rows) if (row.index === 0 && chosen.size < SHOWN) chosen.add(row)
  for (const row of rows) if (chosen.size < SHOWN) chosen.add(row)
  return rows.filter((row) => chosen.has(row))
}

function restWords(rows: readonly Row[], shown: readonly Row[], names: readonly string[], style: Style): string[] {
  const rest = rows.filter((row) => !shown.includes(row))
  if (rest.length === 0) return []
  const groups = [...groupBy(rest, (row) => row.type)]
  const labels = groups.flatMap(([type, group]) =>
    runs(group.map((row) => row.index)).map(([from, to]) =>
      from === to ? `${type}-${from}` : `${type}-${from} to ${type}-${to}`,
    ),
  )
  const differing = names.filter((name) =>
    groups.some(([type, group]) => {
      const like = shown.find((row) => row.type === type) ?? group[0]!
      return group.some((row) => row.values.get(name) !== like.values.get(name))
    }),
  )
  const but = differing.length > 0 ? ` but for ${differing.join(', ')}` : ''
  return [cut(`${style.ellipsis} ${labels.join(', ')} alike${but}`, style.width, style.ellipsis)]
}

/** What the template does not say: the engine put it there. A JSON value is shown member by member. */
function injectedValues(model: JobModel, pod: Pod, replica: Place): Map<string, string> {
  const template = replica.role.template?.spec?.containers?.[replica.role.trainingContainer]
  const own = new Set((template?.env ?? []).map(variableKey))
  const values = new Map<string, string>()
  const container = pod.spec?.containers?.[replica.role.trainingContainer]
  for (const variable of container?.env ?? []) {
    if (own.has(variableKey(variable)) || variable.value === undefined) continue
    for (const [name, value] of members(variable.name, variable.value))
      values.set(name, printable(starred(model, value)))
  }
  return values
}

function variableKey(variable: EnvVar): string {
  return JSON.stringify([variable.name, variable.value])
}

function members(name: string, value: string): Array<[string, string]> {
  const parsed = value.startsWith('{') ? parseJson(value) : undefined
  if (!isObject(parsed)) return [[name, value]]
  return Object.entries(parsed).map(([key, member]) => [`${name}.${key}`, inWords(member)])
}

/** `chief 0` for a task, `ps a:2222, b:2222; worker c:2222` for a cluster: JSON's signs take more room than they tell. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const members = Object.entries(value)
  if (members.every(([, member]) => typeof member !== 'object')) return members.map(([, member]) => member).join(' ')
  return members.map(([key, member]) => `${key} ${inWords(member)}`).join('; ')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
