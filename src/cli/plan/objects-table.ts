// The objects a job makes, one line for those that differ in their index only.
import type { Pod, PodSpec, Service } from '../../../gen/kubernetes-types.ts'
import type { KubeObject } from '../../api/types.ts'
import type { JobModel, Role } from '../../core/job-model.ts'
import type { Place } from '../../core/slots.ts'
import { type Column, renderTable } from '../output/table.ts'
import type { Style } from '../output/terminal.ts'
import { add, formatCount, formatMemory, type Needs, podNeeds } from './quantities.ts'
import { commonText, rangeName } from './ranges.ts'
import { starred } from './starred.ts'

interface Group {
  kind: string
  prefix: string
  numbers: number[]
  name: string
  role?: Role
  needs: Needs
  texts: string[]
}

export function renderObjects(
  model: JobModel,
  objects: readonly KubeObject[],
  replicas: ReadonlyMap<string, Place>,
  style: Style,
): string[] {
  const groups = groupAlike(model, objects, replicas)
  const total: Needs = { cpu: 0, memory: 0 }
  for (const group of groups) if (group.kind === 'Pod') add(total, group.needs, group.numbers.length)
  const gpus = total.gpu !== undefined
  const columns: Column[] = [
    { header: 'OBJECT' },
    { header: 'CPU', align: 'right' },
    { header: 'MEM', align: 'right' },
    ...(gpus ? [{ header: 'GPU', align: 'right' as const }] : []),
    { header: 'RESTART', minimum: 15 },
    { header: 'WHAT IT RUNS' },
  ]
  const amounts = (needs: Needs) => [
    formatCount(needs.cpu, '-'),
    formatMemory(needs.memory, '-'),
    ...(gpus ? [formatCount(needs.gpu, '-')] : []),
  ]
  const rows = groups.map((group) => [
    `${group.kind} ${nameOf(group)}`,
    ...amounts(group.needs),
    group.role ? restartWords(group.role) : '-',
    commonText(group.texts, style.ellipsis),
  ])
  return renderTable(columns, [...rows, ['TOTAL', ...amounts(total), budgetWords(model)]], style)
}

function groupAlike(model: JobModel, objects: readonly KubeObject[], replicas: ReadonlyMap<string, Place>): Group[] {
  const groups = new Map<string, Group>()
  for (const object of objects) {
    const name = starred(model, object.metadata.name ?? '')
    const [, prefix, number] = /^(.*-)(\d{1,9})$/.exec(name) ?? [undefined, name, undefined]
    const role = object.kind === 'Pod' ? replicas.get(object.metadata.name ?? '')?.role : undefined
    const key = `${object.kind} ${prefix}`
    const text = starred(model, whatItDoes(object, role))
    const group = groups.get(key)
    if (group && number !== undefined) {
      group.numbers.push(Number(number))
      group.texts.push(text)
    } else {
      const needs = object.kind === 'Pod' ? podNeeds((object as Pod).spec as PodSpec) : {}
      const numbers = number === undefined ? [] : [Number(number)]
      groups.set(key, { kind: object.kind, prefix: prefix!, numbers, name, role, needs, texts: [text] })
    }
  }
  return [...groups.values()]
}

function nameOf({ prefix, numbers, name }: Group): string {
  return numbers.length === 0
    ? name
    : rangeName(
        prefix,
        [...numbers].sort((a, b) => a - b),
      )
}

function restartWords(role: Role): string {
  if (role.limitPerReplica === undefined || role.restartPolicy === 'Never') return role.restartPolicy
  return `${role.restartPolicy} max ${role.limitPerReplica}`
}

function budgetWords(model: JobModel): string {
  if (model.roles.every((role) => role.restartPolicy === 'Never')) return 'none'
  if (model.backoffLimit !== undefined) return `${model.backoffLimit} for the job`
  return model.roles.some((role) => role.limitPerReplica !== undefined) ? '-' : 'unlimited'
}

function whatItDoes(object: KubeObject, role: Role | undefined): string {
  switch (object.kind) {
    case 'Pod':
      return commandOf((object as Pod).spec as PodSpec, role?.trainingContainer ?? 0)
    case 'Service':
      return serviceWords(object as Service & KubeObject)
    case 'PodGroup': {
      const spec = (object as { spec?: { minMember?: number; queue?: string; priority?: number } }).spec
      const queue = spec?.queue ? `; queue ${spec.queue}, priority ${spec.priority ?? 0}` : ''
      return `gang; starts when ${spec?.minMember} pods fit at once${queue}`
    }
    default:
      return "shows the job's training logs"
  }
}

function commandOf(spec: PodSpec, trainingContainer: number): string {
  const container = spec.containers?.[trainingContainer]
  const words = [...(container?.command ?? []), ...(container?.args ?? [])]
  const text = words.map(quoteIfNeeded).join(' ').replace(/\s+/g, ' ').trim()
  if (container?.command?.length) return text
  return `${container?.image ?? 'image'}'s own command${text ? ` ${text}` : ''}`
}

function quoteIfNeeded(word: string): string {
  return word === '' || /\s/.test(word) ? `'${word}'` : word
}

function serviceWords(service: Service): string {
  const ports = service.spec?.ports ?? []
  if (service.spec?.clusterIP !== 'None')
    return `cluster address; ports ${ports.map((port) => `${port.port} to ${port.targetPort}`).join(', ')}`
  if (service.metadata?.name?.endsWith('-peers')) return 'headless; gives the pods their names'
  const shown =
    ports.length > 0 ? `, port${ports.length > 1 ? 's' : ''} ${ports.map((port) => port.port).join(', ')}` : ''
  return `headless; gives the pod its name${shown}`
}
