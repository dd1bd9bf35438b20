// trainyard get nodes: what the nodes have, and how much of it is asked for.
import type { Node, Pod } from '../../../gen/kubernetes-types.ts'
import { formatQuantity, parseQuantity, type Quantity } from '../../api/quantity.ts'
import { type Column, renderTable } from '../output/table.ts'
import type { Style } from '../output/terminal.ts'

const NOT_SHOWN = new Set(['ephemeral-storage', 'pods'])

export function renderNodes(nodes: readonly Node[], pods: readonly Pod[], style: Style): string[] {
  const all = nodes.map(({ status }) => status?.allocatable ?? {})
  const found = new Set(all.flatMap((amounts) => Object.keys(amounts)).filter((name) => !NOT_SHOWN.has(name)))
  const resources = [...['cpu', 'memory'].filter((name) => found.delete(name)), ...[...found].sort()]
  const columns: Column[] = [
    { header: 'NAME' },
    { header: 'STATE' },
    { header: 'PODS', align: 'right' },
    ...resources.map((name): Column => ({ header: name.toUpperCase(), align: 'right' })),
  ]
  const rows = nodes.map((node, i) => {
    const here = pods.filter(({ spec, status }) => spec?.nodeName === node.metadata?.name && !isOver(status?.phase))
    const amounts = resources.map((name) => `${usedOf(here, name)}/${all[i]![name] ?? 0}`)
    return [node.metadata?.name ?? '', stateOf(node), `${here.length}/${all[i]!.pods ?? 0}`, ...amounts]
  })
  return renderTable(columns, rows, style)
}

function stateOf({ spec, status }: Node): string {
  const ready = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')
  return `${ready ? 'Ready' : 'NotReady'}${spec?.unschedulable ? ',SchedulingDisabled' : ''}`
}

const isOver = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed'

function usedOf(pods: readonly Pod[], resource: string): string {
  let total: Quantity = { nano: 0n, format: resource === 'memory' ? 'binary' : 'decimal' }
  for (const { resources } of pods.flatMap(({ spec }) => spec?.containers ?? [])) {
    const asked = { ...resources?.limits, ...resources?.requests }[resource]
    const nano = asked === undefined ? 0n : (parseQuantity(String(asked))?.nano ?? 0n)
    total = { ...total, nano: total.nano + nano }
  }
  return formatQuantity(total)
}
