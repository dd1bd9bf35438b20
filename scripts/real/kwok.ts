// Nodes and pods that are only played, by kwok: as many as one likes, on one machine.
import { mustRun } from '../run-program.ts'

/** How long a pod runs: a Go duration; one second without it. */
export const DURATION = 'real.trainyard.dev/duration'
/** How a pod ends: `succeed` (the default), `fail`, `fail-first` (its first attempt fails), `run` (it does not). */
export const OUTCOME = 'real.trainyard.dev/outcome'

type Selector = { key: string; operator: string; values?: string[] }

const annotation = (name: string): string => `.metadata.annotations["${name}"]`
const isIn = (key: string, ...values: string[]): Selector => ({ key, operator: 'In', values })
const notIn = (key: string, ...values: string[]): Selector => ({ key, operator: 'NotIn', values })
const ALIVE: Selector = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' }
const GOING: Selector = { ...ALIVE, operator: 'Exists' }
const SLOWLY = { durationMilliseconds: 10_000 }
const FIRST_ATTEMPT = isIn(annotation('trainyard.dev/attempt'), '1')

function stage(name: string, kind: 'Node' | 'Pod', matchExpressions: Selector[], next: object, delay?: object) {
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: { resourceRef: { apiGroup: 'v1', kind }, selector: { matchExpressions }, delay, next },
  }
}

// Templates are Go's, their result is YAML; JSON is YAML too and knows no indentation.
const containers = (state: string, ready: boolean): string =>
  `containerStatuses: [{{ range $i, $c := .spec.containers }}{{ if $i }}, {{ end }}{"name": {{ $c.name | Quote }}, "image": {{ $c.image | Quote }}, ` +
  `"imageID": "", "ready": ${ready}, "started": ${ready}, "restartCount": 0, "state": ${state}}{{ end }}]\n`

const NODE_READY = `
{{ $now := Now }}
conditions: [{{ range $i, $c := NodeConditions }}{{ if $i }}, {{ end }}{"type": {{ $c.type | Quote }}, "status": {{ $c.status | Quote }}, "reason": {{ $c.reason | Quote }}, "message": {{ $c.message | Quote }}, "lastHeartbeatTime": {{ $now | Quote }}, "lastTransitionTime": {{ $now | Quote }}}{{ end }}]
addresses: [{"type": "InternalIP", "address": {{ NodeIP | Quote }}}, {"type": "Hostname", "address": {{ NodeName | Quote }}}]
nodeInfo: {architecture: amd64, bootID: "", containerRuntimeVersion: kwok, kernelVersion: kwok, kubeProxyVersion: kwok, kubeletVersion: kwok, machineID: "", operatingSystem: linux, osImage: "", systemUUID: ""}
`

const POD_RUNS = `
{{ $now := Now }}
phase: Running
startTime: {{ $now | Quote }}
conditions: [{{ range $i, $t := list "Initialized" "ContainersReady" "Ready" }}{{ if $i }}, {{ end }}{"type": {{ $t | Quote }}, "status": "True", "lastTransitionTime": {{ $now | Quote }}}{{ end }}]
hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
${containers('{"running": {"startedAt": {{ $now | Quote }}}}', true)}`

const podEnds = (phase: 'Succeeded' | 'Failed'): string => {
  const [exitCode, reason] = phase === 'Succeeded' ? [0, 'Completed'] : [1, 'Error']
  const times = `"startedAt": {{ $now | Quote }}, "finishedAt": {{ $now | Quote }}`
  const state = `{"terminated": {"exitCode": ${exitCode}, "reason": "${reason}", ${times}}}`
  return `\n{{ $now := Now }}\nphase: ${phase}\n${containers(state, false)}`
}

function endings() {
  const running = [ALIVE, isIn('.status.phase', 'Running')]
  const outcome = annotation(OUTCOME)
  const delay = { durationMilliseconds: 1000, durationFrom: { jq: { expression: annotation(DURATION) } } }
  const ends = (name: string, phase: 'Succeeded' | 'Failed', ...when: Selector[]) =>
    stage(name, 'Pod', [...running, ...when], { statusTemplate: podEnds(phase) }, delay)
  return [
    ends('pod-succeeds', 'Succeeded', notIn(outcome, 'run', 'fail', 'fail-first')),
    ends('pod-fails', 'Failed', isIn(outcome, 'fail')),
    ends('pod-fails-first', 'Failed', isIn(outcome, 'fail-first'), FIRST_ATTEMPT),
    ends('pod-recovers', 'Succeeded', isIn(outcome, 'fail-first'), { ...FIRST_ATTEMPT, operator: 'NotIn' }),
  ]
}

/** What kwok is told to play, as its configuration file. */
export function buildKwokConfig(): string {
  const ready = '.status.conditions.[] | select( .type == "Ready" ) | .status'
  const documents = [
    {
      apiVersion: 'config.kwok.x-k8s.io/v1alpha1',
      kind: 'KwokConfiguration',
      // By default it plays four pods at a time, and then kwok is what a suite would measure.
      options: { podPlayStageParallelism: 64, nodePlayStageParallelism: 8, nodeLeaseParallelism: 4 },
    },
    stage('node-ready', 'Node', [notIn(ready, 'True')], { statusTemplate: NODE_READY }),
    stage('pod-runs', 'Pod', [ALIVE, isIn('.status.phase', 'Pending')], { statusTemplate: POD_RUNS }),
    ...endings(),
    stage('pod-goes', 'Pod', [GOING, notIn('.status.phase', 'Succeeded', 'Failed')], { delete: true }),
    // kwok deletes by name and may hit the pod that comes after; so those who restart replicas have time to be faster.
    stage('ended-pod-goes', 'Pod', [GOING, isIn('.status.phase', 'Succeeded', 'Failed')], { delete: true }, SLOWLY),
  ]
  return documents.map((document) => JSON.stringify(document)).join('\n---\n')
}

/** Makes the nodes and waits until they are ready. */
export async function createPlayedNodes(kubectl: string, kubeconfig: string, count: number): Promise<void> {
  const capacity = { cpu: '256', memory: '1Ti', pods: '1000', 'nvidia.com/gpu': '64' }
  const items = Array.from({ length: count }, (_, index) => {
    const name = `kwok-${index}`
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: { type: 'kwok', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' },
        annotations: { 'kwok.x-k8s.io/node': 'fake' },
      },
      status: { allocatable: capacity, capacity },
    }
  })
  const run = (args: string[], input?: string) => mustRun(kubectl, ['--kubeconfig', kubeconfig, ...args], { input })
  await run(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  await run(['wait', 'node', '-l', 'type=kwok', '--for=condition=Ready', '--timeout=120s'])
}
