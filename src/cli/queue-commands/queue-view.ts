// Queues as tables.
import { formatQuantity, parseQuantity } from '../../api/quantity.ts'
import { type LabelSelector, type Queue, quotaOf } from '../../api/queue/queue-object.ts'
import type { Instant } from '../../lib/time.ts'
import { spellAge } from '../job-commands/spell-duration.ts'
import { renderTable } from '../output/table.ts'
import type { Style } from '../output/terminal.ts'
import { padEnd, printable } from '../output/text.ts'
import type { Member } from './queues.ts'

export function renderQueues(queues: readonly Queue[], style: Style): string[] {
  const rows = queues.map((queue) => {
    const { total = 0 } = queue.status?.podGroups ?? {}
    const { running = 0, pending = 0 } = queue.status?.pods ?? {}
    const { priority = 0 } = queue.spec ?? {}
    const used = usesOf(queue).map(
      ({ resource, used: amount, quota }) => `${resource} ${amount}${quota ? `/${quota}` : ''}`,
    )
    return [
      queue.metadata.name ?? '',
      stateOf(queue),
      `${priority}`,
      `${total}`,
      `${running}`,
      `${pending}`,
      used.join(', ') || '-',
    ]
  })
  const right = { align: 'right' as const }
  const columns = [
    { header: 'NAME', minimum: 8 },
    { header: 'STATE', minimum: 6 },
    { header: 'PRIORITY', ...right },
    { header: 'GROUPS', ...right },
    { header: 'RUNNING', ...right },
    { header: 'PENDING', ...right },
    { header: 'USED' },
  ]
  return renderTable(columns, rows, style)
}

export function renderQueue(queue: Queue, members: readonly Member[], style: Style, now: Instant): string[] {
  const { spec = {}, metadata } = queue
  const facts: Array<[string, string]> = [
    ['Name', metadata.name ?? ''],
    ['Namespace', metadata.namespace ?? ''],
    ['State', stateOf(queue)],
    ['Priority', `${spec.priority ?? 0}`],
    ['Preemptible', spec.preemptible === false ? 'no' : 'yes, by queues of higher priority'],
    ['Max duration', spec.maxDuration && spec.maxDuration !== '0' ? spec.maxDuration : 'none'],
    ...(spec.resourceShapeProfile ? [['Pod sizes', `profile ${spec.resourceShapeProfile}`] as [string, string]] : []),
    ['Nodes', spec.nodeSelector ? describeSelector(spec.nodeSelector) : 'all'],
    [
      'Namespaces',
      spec.namespaceSelector
        ? describeSelector(spec.namespaceSelector)
        : 'as the cluster has it (no namespaceSelector)',
    ],
  ]
  const inner = { ...style, width: style.width - 2 }
  const section = (title: string, lines: string[]): string[] => ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
  const waiting = members.filter(({ waits }) => waits !== undefined)
  const running = members.filter(({ waits }) => waits === undefined)
  return [
    ...facts.map(([label, value]) => `${padEnd(`${label}:`, 14)}${printable(value)}`),
    ...section('Resources', renderUses(queue, inner)),
    ...(running.length > 0 ? section('Running', renderMembers(running, inner, now, false)) : []),
    ...(waiting.length > 0 ? section('Waiting', renderMembers(waiting, inner, now, true)) : []),
  ]
}

function renderUses(queue: Queue, style: Style): string[] {
  const uses = usesOf(queue)
  if (uses.length === 0) return ['none in use, none limited']
  const columns = [{ header: 'RESOURCE' }, { header: 'USED', align: 'right' as const }, { header: 'QUOTA' }]
  return renderTable(
    columns,
    uses.map(({ resource, used, quota }) => [resource, used, quota ?? 'no limit']),
    style,
  )
}

function renderMembers(members: readonly Member[], style: Style, now: Instant, waiting: boolean): string[] {
  const columns = [
    ...(waiting ? [{ header: '#', align: 'right' as const }] : []),
    { header: 'GROUP' },
    { header: 'NAMESPACE' },
    { header: 'PRIORITY', align: 'right' as const },
    { header: 'PODS', align: 'right' as const },
    { header: 'AGE', align: 'right' as const },
    ...(waiting ? [{ header: 'WAITS FOR' }] : []),
  ]
  const rows = members.map(({ name, namespace, priority, pods, createdAt, waits }, i) => [
    ...(waiting ? [`${i + 1}`] : []),
    name,
    namespace,
    `${priority}`,
    `${pods}`,
    spellAge(now - createdAt),
    ...(waiting ? [waits ?? ''] : []),
  ])
  return renderTable(columns, rows, style)
}

export function stateOf({ spec, metadata }: Queue): string {
  if (metadata.deletionTimestamp) return 'Leaving'
  return spec?.closed ? 'Closed' : 'Open'
}

export interface Use {
  resource: string
  used: string
  quota?: string
}

/** What is limited first, then what else is in use. */
export function usesOf(queue: Queue): Use[] {
  const quota = quotaOf(queue)
  const allocated = queue.status?.allocated ?? {}
  const limited = Object.entries(quota).map(([resource, most]) => {
    return { resource, used: allocated[resource] ?? '0', quota: canonical(String(most)) }
  })
  const others = Object.entries(allocated).filter(([resource]) => !(resource in quota) && resource !== 'pods')
  return [...limited, ...others.map(([resource, used]) => ({ resource, used }))]
}

function canonical(text: string): string {
  const quantity = parseQuantity(text)
  return quantity ? formatQuantity(quantity) : text
}

/** `disk=fast, gpu in (a100, h100), !slow`. */
function describeSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`)
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key
    if (operator === 'DoesNotExist') return `!${key}`
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(', ')})`
  })
  return [...labels, ...expressions].join(', ') || 'all'
}
