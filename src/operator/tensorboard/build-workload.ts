// What runs for a TensorBoard: one container that reads the logs and serves them. Where the cluster runs Deployments it is
// one, with a Service; elsewhere a pod by itself.
import type { Deployment, Pod, PodTemplateSpec, Service } from '../../../gen/kubernetes-types.ts'
import { PEERS_ANNOTATION, type PeerMarks, wholeSpan } from '../../api/peers.ts'
import type { TensorBoard } from '../../api/types.ts'
import { buildAwaitLogs } from './await-logs.ts'
import { claimsAmong, LOGS, pathOf, type Source } from './sources.ts'

export const BOARD_LABEL = 'trainyard.dev/tensorboard'
/** Of the board, when this was made from it. */
export const GENERATION = 'trainyard.dev/generation'
export const BOARD_PORT = 6006
const DEFAULT_IMAGE = 'tensorflow/tensorflow:2.21.0'
const QUEUE_LABEL = 'scheduler.tensorstack.dev/queue'
const ANY_ADDRESS = '0.0.0.0'

export function buildDeployment(board: TensorBoard, sources: readonly Source[]): Deployment & { metadata: object } {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(board),
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labelsOf(board) },
      template: buildTemplate(board, sources),
    },
  }
}

export function buildService(board: TensorBoard): Service & { metadata: object } {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(board),
    spec: { selector: labelsOf(board), ports: [{ name: 'http', port: 80, targetPort: BOARD_PORT }] },
  }
}

export function buildPod(board: TensorBoard, sources: readonly Source[]): Pod & { metadata: object } {
  const { metadata, spec } = buildTemplate(board, sources)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: withLabels(board, metadata),
    spec: spec!,
  }
}

function buildTemplate({ metadata, spec }: TensorBoard, sources: readonly Source[]): PodTemplateSpec {
  const queue = spec.scheduler?.t9kScheduler && (spec.scheduler.t9kScheduler.queue ?? spec.scheduler.t9kScheduler.Queue)
  const places = claimsAmong(sources)
  const claims = [...new Set(places.map(({ claim }) => claim))]
  const secrets = [
    ...new Set(sources.flatMap((source) => (source.kind === 's3' && source.secret ? [source.secret] : []))),
  ]
  const args = [logDirOf(sources), '--host', ANY_ADDRESS, '--port', String(BOARD_PORT)]
  const base = {
    image: spec.image ?? DEFAULT_IMAGE,
    resources: spec.resources ?? { requests: { cpu: '100m', memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(claims.length > 0 && {
      volumeMounts: claims.map((claim, i) => ({ name: `logs-${i}`, mountPath: `${LOGS}/${claim}`, readOnly: true })),
    }),
  }
  return {
    metadata: {
      labels: { [BOARD_LABEL]: metadata.name ?? '', ...(queue && { [QUEUE_LABEL]: queue }) },
      annotations: { [PEERS_ANNOTATION]: JSON.stringify(marksOf(metadata.name ?? '', args)) },
    },
    spec: {
      hostname: metadata.name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(queue && { schedulerName: 't9k-scheduler' }),
      ...(claims.length > 0 && { initContainers: [buildAwaitLogs(base, places, places.length < sources.length)] }),
      containers: [
        {
          ...base,
          name: 'tensorboard',
          command: ['tensorboard'],
          args,
          ports: [{ name: 'http', containerPort: BOARD_PORT }],
          readinessProbe: { httpGet: { path: '/', port: BOARD_PORT }, periodSeconds: 2, timeoutSeconds: 5 },
          ...(secrets.length > 0 && { envFrom: secrets.map((name) => ({ secretRef: { name } })) }),
        },
      ],
      ...(claims.length > 0 && {
        volumes: claims.map((claimName, i) => ({ name: `logs-${i}`, persistentVolumeClaim: { claimName } })),
      }),
    },
  }
}

/** Several places are told apart by names, as `--logdir` takes only one. */
function logDirOf(sources: readonly Source[]): string {
  const places = sources.map((source) => {
    if (source.kind === 'claim') return pathOf(source)
    return source.kind === 's3' ? source.uri : source.url
  })
  if (places.length === 1) return `--logdir=${places[0]}`
  return `--logdir_spec=${places.map((place, i) => `${nameOf(place, i)}:${place}`).join(',')}`
}

function nameOf(place: string, i: number): string {
  const last =
    place
      .split('/')
      .at(-1)
      ?.replace(/[^\w.-]/g, '') || 'logs'
  return `${i}-${last}`
}

/** Where pods share one machine's network, TensorBoard is to listen on a port of its own and only for this machine. */
function marksOf(name: string, args: readonly string[]): PeerMarks {
  const mark = (text: string, part: 'host' | 'port') => ({
    container: 'tensorboard',
    args: args.indexOf(text),
    spans: wholeSpan(text, 'tensorboard-0', BOARD_PORT, part),
  })
  return {
    peers: { tensorboard: { replicas: 1, host: name, ports: [BOARD_PORT] } },
    places: [mark(ANY_ADDRESS, 'host'), mark(String(BOARD_PORT), 'port')],
  }
}

function withLabels(board: TensorBoard, { labels, annotations }: PodTemplateSpec['metadata'] = {}) {
  const own = metadataOf(board)
  return { ...own, labels, annotations: { ...annotations, ...own.annotations } }
}

function labelsOf({ metadata }: TensorBoard): Record<string, string> {
  return { [BOARD_LABEL]: metadata.name ?? '' }
}

function metadataOf(board: TensorBoard) {
  const { name, namespace, uid, generation } = board.metadata
  const { apiVersion, kind } = board
  return {
    name,
    namespace,
    labels: labelsOf(board),
    annotations: { [GENERATION]: String(generation ?? 0) },
    ownerReferences: [
      { apiVersion, kind, name: name ?? '', uid: uid ?? '', controller: true, blockOwnerDeletion: true },
    ],
  }
}
