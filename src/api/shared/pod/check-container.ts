// Containers that the apiserver would refuse.
import type { Container, Probe } from '../../../../gen/kubernetes-types.ts'
import type { Issue, Path } from '../../issue.ts'
import { quote } from '../../schema/finding.ts'
import { checkEnvironment } from './check-environment.ts'
import { checkResources } from './check-resources.ts'
import { checkMounts } from './check-volumes.ts'
import { checkDuplicates, checkOneOf, checkPort, fault, missing } from './faults.ts'
import { wrongLabel, wrongPortName } from './names.ts'

const PULL = ['Always', 'IfNotPresent', 'Never']
const MESSAGE = ['File', 'FallbackToLogsOnError']
const PROTOCOLS = ['TCP', 'UDP', 'SCTP']
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const
const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const

export function* checkContainer(container: Container, at: Path, hostNetwork: boolean): Generator<Issue> {
  const wrong = container.name ? wrongLabel(container.name) : undefined
  if (wrong) yield fault([...at, 'name'], wrong)
  if (container.image && container.image !== container.image.trim())
    yield fault([...at, 'image'], `${quote(container.image)} has blanks around it`)
  yield* checkOneOf([...at, 'imagePullPolicy'], container.imagePullPolicy, PULL)
  yield* checkOneOf([...at, 'terminationMessagePolicy'], container.terminationMessagePolicy, MESSAGE)
  yield* checkPorts(container, at, hostNetwork)
  yield* checkEnvironment(container, at)
  yield* checkResources(container.resources, [...at, 'resources'])
  yield* checkMounts(container, at)
  for (const name of PROBES) {
    const probe = container[name]
    if (probe) yield* checkProbe(probe, [...at, name], name)
  }
}

function* checkPorts({ ports }: Container, at: Path, hostNetwork: boolean): Generator<Issue> {
  for (const [i, { containerPort, hostPort, name, protocol }] of (ports ?? []).entries()) {
    const here: Path = [...at, 'ports', i]
    yield* checkPort([...here, 'containerPort'], containerPort)
    if (hostPort) yield* checkPort([...here, 'hostPort'], hostPort)
    if (hostNetwork && hostPort && hostPort !== containerPort)
      yield fault(
        [...here, 'hostPort'],
        `${hostPort} is not containerPort (${containerPort}), as it is under hostNetwork`,
      )
    const wrong = name ? wrongPortName(name) : undefined
    if (wrong) yield fault([...here, 'name'], wrong)
    yield* checkOneOf([...here, 'protocol'], protocol, PROTOCOLS)
  }
  yield* checkDuplicates((ports ?? []).map(({ name }, i) => [[...at, 'ports', i, 'name'], name]))
}

function* checkProbe(probe: Probe, at: Path, kind: string): Generator<Issue> {
  const handlers = HANDLERS.filter((handler) => probe[handler])
  if (handlers.length !== 1)
    yield fault(at, `does ${handlers.join(' and ') || 'nothing'}; it takes one of ${HANDLERS.join(', ')}`)
  if (probe.exec && !probe.exec.command?.length) yield missing([...at, 'exec', 'command'])
  for (const handler of ['httpGet', 'tcpSocket'] as const) {
    const port = probe[handler]?.port
    const here: Path = [...at, handler, 'port']
    const wrong = typeof port === 'string' ? wrongPortName(port) : undefined
    if (wrong) yield fault(here, wrong)
    if (typeof port === 'number') yield* checkPort(here, port)
  }
  for (const count of COUNTS) {
    const value = probe[count]
    if (typeof value === 'number' && value < 0) yield fault([...at, count], `${value} is less than nothing`)
  }
  if (kind !== 'readinessProbe' && (probe.successThreshold ?? 0) > 1)
    yield fault(
      [...at, 'successThreshold'],
      `${probe.successThreshold} is too much: one success is enough of a ${kind}`,
    )
}
