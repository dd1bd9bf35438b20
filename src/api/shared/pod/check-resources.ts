// Requests and limits of a container that the apiserver would refuse.
import type { ResourceRequirements } from '../../../../gen/kubernetes-types.ts'
import type { Issue, Path } from '../../issue.ts'
import { parseQuantity } from '../../quantity.ts'
import { quote } from '../../schema/finding.ts'
import { fault } from './faults.ts'
import { wrongQualifiedName } from './names.ts'

type Amounts = Map<string, { text: string; nano: bigint }>

const WHOLE = 1_000_000_000n
const OWN = ['cpu', 'memory', 'ephemeral-storage']

export function* checkResources(resources: ResourceRequirements | undefined, at: Path): Generator<Issue> {
  const limits: Amounts = new Map()
  const requests: Amounts = new Map()
  yield* readAmounts(resources?.limits, [...at, 'limits'], limits)
  yield* readAmounts(resources?.requests, [...at, 'requests'], requests)
  for (const [name, request] of requests) {
    const limit = limits.get(name)
    const here: Path = [...at, 'requests', name]
    const see: Path = [...at, 'limits', name]
    if (isDivisible(name)) {
      if (limit && request.nano > limit.nano)
        yield { ...fault(here, `${request.text} is more than the limit (${limit.text}{see})`), see }
    } else if (!limit) yield fault(here, `needs a limit of the same amount: ${name} is not shared`)
    else if (limit.nano !== request.nano)
      yield { ...fault(here, `${request.text} is not the limit (${limit.text}{see}): ${name} is not shared`), see }
  }
}

function* readAmounts(list: Record<string, string | number> | undefined, at: Path, amounts: Amounts): Generator<Issue> {
  for (const [name, value] of Object.entries(list ?? {})) {
    const nano = parseQuantity(String(value))?.nano
    if (nano === undefined) continue
    const here: Path = [...at, name]
    const wrong = wrongResource(name)
    if (wrong) yield fault(here, wrong)
    else if (nano < 0n) yield fault(here, `${value} is less than nothing`)
    else if (!isDivisible(name) && nano % WHOLE !== 0n)
      yield fault(here, `${name} comes in whole numbers, not ${value}`)
    else amounts.set(name, { text: String(value), nano })
  }
}

function wrongResource(name: string): string | undefined {
  const wrong = wrongQualifiedName(name)
  if (wrong) return wrong
  if (name.includes('/')) return name.startsWith('requests.') ? `${quote(name)} is a quota, not a resource` : undefined
  if (OWN.includes(name) || name.startsWith('hugepages-')) return undefined
  return `${quote(name)} is no resource of a container; others than ${OWN.join(', ')} have a prefix, such as nvidia.com/gpu`
}

/** Kubernetes' own can be overcommitted; devices and huge pages cannot. */
function isDivisible(name: string): boolean {
  return OWN.includes(name) || /(^|\.)kubernetes\.io\//.test(name)
}
