// Pod templates whose pods the apiserver would refuse: said before the job is there, not again and again afterwards.
// Each rule is one of kube-apiserver's own, and held against it by `npm run test:cluster`.
import type { Container, PodSpec, PodTemplateSpec, Toleration } from '../../../../gen/kubernetes-types.ts'
import type { Issue, Path } from '../../issue.ts'
import { checkContainer } from './check-container.ts'
import { checkVolumes } from './check-volumes.ts'
import { checkDuplicates, checkOneOf, fault } from './faults.ts'
import { wrongLabelValue, wrongQualifiedName, wrongSubdomain } from './names.ts'

const DNS = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const MOST_SECONDS = 2_147_483_647

export function* checkPod({ metadata, spec }: PodTemplateSpec, at: Path): Generator<Issue> {
  yield* checkLabels(metadata?.labels, [...at, 'metadata', 'labels'])
  for (const key of Object.keys(metadata?.annotations ?? {})) {
    // Unlike those of labels, their prefixes may have capitals.
    const wrong = wrongQualifiedName(key.toLowerCase())
    if (wrong) yield fault([...at, 'metadata', 'annotations', key], wrong)
  }
  if (spec) yield* checkSpec(spec, [...at, 'spec'])
}

function* checkSpec(spec: PodSpec, at: Path): Generator<Issue> {
  const all = [
    ...(spec.containers ?? []).map((container, i) => ({ container, here: [...at, 'containers', i] as Path })),
    ...(spec.initContainers ?? []).map((container, i) => ({ container, here: [...at, 'initContainers', i] as Path })),
  ]
  for (const { container, here } of all) yield* checkContainer(container, here, spec.hostNetwork === true)
  yield* checkDuplicates(all.map(({ container, here }) => [[...here, 'name'], container.name]))
  yield* checkDuplicates(all.flatMap(({ container, here }) => hostPortsOf(container, here)))
  yield* checkVolumes(spec.volumes ?? [], [...at, 'volumes'])
  yield* checkLabels(spec.nodeSelector, [...at, 'nodeSelector'])
  for (const [i, toleration] of (spec.tolerations ?? []).entries())
    yield* checkToleration(toleration, [...at, 'tolerations', i])
  yield* checkOneOf([...at, 'dnsPolicy'], spec.dnsPolicy, DNS)
  const seconds = spec.activeDeadlineSeconds
  if (typeof seconds === 'number' && (seconds < 1 || seconds > MOST_SECONDS))
    yield fault([...at, 'activeDeadlineSeconds'], `${seconds} is not from 1 to ${MOST_SECONDS}`)
  const wrong = spec.nodeName ? wrongSubdomain(spec.nodeName) : undefined
  if (wrong) yield fault([...at, 'nodeName'], wrong)
}

/** What a container takes of its node; init containers run when nobody else does. */
function hostPortsOf({ ports }: Container, here: Path): Array<[Path, string]> {
  if (here.at(-2) === 'initContainers') return []
  return (ports ?? []).flatMap(({ hostPort, hostIP = '', protocol = 'TCP' }, i): Array<[Path, string]> => {
    return hostPort ? [[[...here, 'ports', i, 'hostPort'], `${protocol}/${hostIP}/${hostPort}`]] : []
  })
}

function* checkLabels(labels: Record<string, string> | undefined, at: Path): Generator<Issue> {
  for (const [key, value] of Object.entries(labels ?? {})) {
    const wrong = wrongQualifiedName(key) ?? (typeof value === 'string' ? wrongLabelValue(value) : undefined)
    if (wrong) yield fault([...at, key], wrong)
  }
}

function* checkToleration(toleration: Toleration, at: Path): Generator<Issue> {
  const { key, operator, value, effect, tolerationSeconds } = toleration
  const wrong = key ? wrongQualifiedName(key) : undefined
  if (wrong) yield fault([...at, 'key'], wrong)
  if (!key && operator !== 'Exists') yield fault(at, 'without a key needs the operator Exists')
  if (operator === 'Exists' && value) yield fault([...at, 'value'], 'has no place beside the operator Exists')
  yield* checkOneOf([...at, 'effect'], effect, EFFECTS)
  if (typeof tolerationSeconds === 'number' && effect !== 'NoExecute')
    yield fault([...at, 'tolerationSeconds'], 'has a meaning for the effect NoExecute only')
}
