// Pod templates with the verdict their pods get: from src/api before there is a job, and the same from a real
// kube-apiserver when it is asked for the pod.
import type { Container, ObjectMeta, PodSpec, PodTemplateSpec } from '../../gen/kubernetes-types.ts'

export interface PodRow {
  name: string
  template: PodTemplateSpec
  refused: boolean
}

/** Types would refuse some of it. */
type Loose = Record<string, unknown>

const main: Container = { name: 'main', image: 'i', command: ['x'] }
const C = (more: Loose): PodTemplateSpec => ({ spec: { containers: [{ ...main, ...more }] } })
const S = (more: Loose, container: Loose = {}): PodTemplateSpec => ({
  spec: { containers: [{ ...main, ...container }], ...more } as PodSpec,
})
const M = (metadata: ObjectMeta): PodTemplateSpec => ({ metadata, ...S({}) })

const refused: Record<string, PodTemplateSpec> = {
  'port 70000': C({ ports: [{ containerPort: 70000 }] }),
  'port 0': C({ ports: [{ containerPort: 0 }] }),
  'port -1': C({ ports: [{ containerPort: -1 }] }),
  'hostPort 70000': C({ ports: [{ containerPort: 1, hostPort: 70000 }] }),
  'hostPort -5': C({ ports: [{ containerPort: 1, hostPort: -5 }] }),
  'hostPort differs under hostNetwork': S({ hostNetwork: true }, { ports: [{ containerPort: 1, hostPort: 2 }] }),
  'same hostPort in two containers': S({
    containers: [
      { name: 'a', image: 'i', ports: [{ containerPort: 1, hostPort: 9 }] },
      { name: 'b', image: 'i', ports: [{ containerPort: 2, hostPort: 9 }] },
    ],
  }),
  'port name Capital': C({ ports: [{ containerPort: 1, name: 'Http' }] }),
  'port name 16': C({ ports: [{ containerPort: 1, name: 'a23456789012345x' }] }),
  'port name digits': C({ ports: [{ containerPort: 1, name: '123' }] }),
  'port name a--b': C({ ports: [{ containerPort: 1, name: 'a--b' }] }),
  'port name -a': C({ ports: [{ containerPort: 1, name: '-a' }] }),
  'port name under_score': C({ ports: [{ containerPort: 1, name: 'a_b' }] }),
  'port names twice': C({
    ports: [
      { containerPort: 1, name: 'a' },
      { containerPort: 2, name: 'a' },
    ],
  }),
  'protocol lower': C({ ports: [{ containerPort: 1, protocol: 'tcp' }] }),
  'protocol QUIC': C({ ports: [{ containerPort: 1, protocol: 'QUIC' }] }),
  'env name empty': C({ env: [{ name: '', value: 'a' }] }),
  'env name with =': C({ env: [{ name: 'A=B', value: 'a' }] }),
  'env name umlaut': C({ env: [{ name: 'Ä', value: 'a' }] }),
  'env name tab': C({ env: [{ name: 'A\tB', value: 'a' }] }),
  'env value and valueFrom': C({
    env: [{ name: 'A', value: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  }),
  'env valueFrom empty': C({ env: [{ name: 'A', valueFrom: {} }] }),
  'env valueFrom two': C({
    env: [
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 'a', key: 'b' } } },
    ],
  }),
  'env fieldPath unknown': C({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.nonsense' } } }] }),
  'env fieldPath metadata.labels': C({
    env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }],
  }),
  'env fieldPath empty': C({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: '' } } }] }),
  'env resource unknown': C({ env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.gpu' } } }] }),
  'env resource empty': C({ env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: '' } } }] }),
  'env secretKeyRef no name': C({ env: [{ name: 'A', valueFrom: { secretKeyRef: { key: 'b' } } }] }),
  'env secretKeyRef empty key': C({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: '' } } }] }),
  'env configMapKeyRef bad key': C({ env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'a', key: 'a b' } } }] }),
  'env configMapKeyRef bad name': C({
    env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'A_B', key: 'a' } } }],
  }),
  'envFrom empty': C({ envFrom: [{}] }),
  'envFrom both': C({ envFrom: [{ configMapRef: { name: 'a' }, secretRef: { name: 'a' } }] }),
  'envFrom no name': C({ envFrom: [{ configMapRef: {} }] }),
  'envFrom bad name': C({ envFrom: [{ configMapRef: { name: 'A_B' } }] }),
  'envFrom prefix with =': C({ envFrom: [{ prefix: 'a=', configMapRef: { name: 'a' } }] }),
  'container name Capital': S({ containers: [{ name: 'Main', image: 'i' }] }),
  'container name under_score': S({
    containers: [
      { name: 'main', image: 'i' },
      { name: 'a_b', image: 'i' },
    ],
  }),
  'container name dot': S({
    containers: [
      { name: 'main', image: 'i' },
      { name: 'a.b', image: 'i' },
    ],
  }),
  'init named as container': S({ initContainers: [{ name: 'main', image: 'i' }] }),
  'two inits of one name': S({
    initContainers: [
      { name: 'a', image: 'i' },
      { name: 'a', image: 'i' },
    ],
  }),
  'image with blanks around': S({ containers: [{ name: 'main', image: ' i ' }] }),
  'imagePullPolicy wrong': C({ imagePullPolicy: 'never' }),
  'limit negative': C({ resources: { limits: { cpu: '-1' } } }),
  'request negative': C({ resources: { requests: { memory: '-1Gi' } } }),
  'request above limit': C({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
  'limit 0.5 gpu': C({ resources: { limits: { 'nvidia.com/gpu': '0.5' } } }),
  'limit 500m gpu': C({ resources: { limits: { 'nvidia.com/gpu': '500m' } } }),
  'gpu request only': C({ resources: { requests: { 'nvidia.com/gpu': 1 } } }),
  'gpu request differs': C({ resources: { limits: { 'nvidia.com/gpu': 2 }, requests: { 'nvidia.com/gpu': 1 } } }),
  'resource gpu': C({ resources: { limits: { gpu: 1 } } }),
  'resource storage': C({ resources: { limits: { storage: 1 } } }),
  'resource pods': C({ resources: { limits: { pods: 1 } } }),
  'resource bad name': C({ resources: { limits: { 'nvidia.com/g pu': 1 } } }),
  'resource requests.x/y': C({ resources: { limits: { 'requests.nvidia.com/gpu': 1 } } }),
  'hugepages request below limit': C({
    resources: { limits: { 'hugepages-2Mi': '4Mi', memory: '1Gi' }, requests: { 'hugepages-2Mi': '2Mi' } },
  }),
  'label value with blank': M({ labels: { a: 'b c' } }),
  'label value 64': M({ labels: { a: 'x'.repeat(64) } }),
  'label value ends -': M({ labels: { a: 'b-' } }),
  'label key bad': M({ labels: { 'a b': 'c' } }),
  'label key prefix bad': M({ labels: { 'A_b/c': 'c' } }),
  'annotation key bad': M({ annotations: { 'a b': 'c' } }),
  'volume name Capital': S({ volumes: [{ name: 'Data', emptyDir: {} }] }),
  'volume name under_score': S({ volumes: [{ name: 'a_b', emptyDir: {} }] }),
  'volume name twice': S({
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'a', emptyDir: {} },
    ],
  }),
  'volume two sources': S({ volumes: [{ name: 'a', emptyDir: {}, hostPath: { path: '/x' } }] }),
  'volume hostPath no path': S({ volumes: [{ name: 'a', hostPath: { path: '' } }] }),
  'volume hostPath ..': S({ volumes: [{ name: 'a', hostPath: { path: '/a/../b' } }] }),
  'volume hostPath type': S({ volumes: [{ name: 'a', hostPath: { path: '/a', type: 'Folder' } }] }),
  'volume configMap no name': S({ volumes: [{ name: 'a', configMap: {} }] }),
  'volume configMap mode 777': S({ volumes: [{ name: 'a', configMap: { name: 'x', defaultMode: 777 } }] }),
  'volume configMap item ..': S({
    volumes: [{ name: 'a', configMap: { name: 'x', items: [{ key: 'a', path: '../b' }] } }],
  }),
  'volume configMap item absolute': S({
    volumes: [{ name: 'a', configMap: { name: 'x', items: [{ key: 'a', path: '/b' }] } }],
  }),
  'volume claim no name': S({ volumes: [{ name: 'a', persistentVolumeClaim: { claimName: '' } }] }),
  'volume emptyDir sizeLimit -1': S({ volumes: [{ name: 'a', emptyDir: { sizeLimit: '-1Gi' } }] }),
  'mount empty path': S({ volumes: [{ name: 'x', emptyDir: {} }] }, { volumeMounts: [{ name: 'x', mountPath: '' }] }),
  'mount path twice': S(
    { volumes: [{ name: 'x', emptyDir: {} }] },
    {
      volumeMounts: [
        { name: 'x', mountPath: '/a' },
        { name: 'x', mountPath: '/a' },
      ],
    },
  ),
  'mount subPath absolute': S(
    { volumes: [{ name: 'x', emptyDir: {} }] },
    { volumeMounts: [{ name: 'x', mountPath: '/a', subPath: '/b' }] },
  ),
  'mount subPath ..': S(
    { volumes: [{ name: 'x', emptyDir: {} }] },
    { volumeMounts: [{ name: 'x', mountPath: '/a', subPath: 'b/../c' }] },
  ),
  'mount subPath and subPathExpr': S(
    { volumes: [{ name: 'x', emptyDir: {} }] },
    { volumeMounts: [{ name: 'x', mountPath: '/a', subPath: 'b', subPathExpr: 'c' }] },
  ),
  'mount propagation wrong': S(
    { volumes: [{ name: 'x', emptyDir: {} }] },
    { volumeMounts: [{ name: 'x', mountPath: '/a', mountPropagation: 'Both' }] },
  ),
  'deadline 0': S({ activeDeadlineSeconds: 0 }),
  'deadline -1': S({ activeDeadlineSeconds: -1 }),
  'deadline large': S({ activeDeadlineSeconds: 2147483648 }),
  'dnsPolicy wrong': S({ dnsPolicy: 'clusterfirst' }),
  'nodeName bad': S({ nodeName: 'A_B' }),
  'nodeSelector value bad': S({ nodeSelector: { a: 'b c' } }),
  'nodeSelector key bad': S({ nodeSelector: { 'a b': 'c' } }),
  'toleration Exists with value': S({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
  'toleration no key Equal': S({ tolerations: [{ operator: 'Equal', value: 'b' }] }),
  'toleration effect wrong': S({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'noSchedule' }] }),
  'toleration seconds without NoExecute': S({
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 3 }],
  }),
  'probe no handler': C({ livenessProbe: {} }),
  'probe two handlers': C({ livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } }),
  'probe exec no command': C({ livenessProbe: { exec: {} } }),
  'probe port 70000': C({ livenessProbe: { tcpSocket: { port: 70000 } } }),
  'probe port 0': C({ livenessProbe: { tcpSocket: { port: 0 } } }),
  'probe port name bad': C({ livenessProbe: { httpGet: { port: 'A_b' } } }),
  'probe negative period': C({ livenessProbe: { tcpSocket: { port: 1 }, periodSeconds: -1 } }),
  'liveness successThreshold 2': C({ livenessProbe: { tcpSocket: { port: 1 }, successThreshold: 2 } }),
  'terminationMessagePolicy wrong': C({ terminationMessagePolicy: 'Log' }),
}

const accepted: Record<string, PodTemplateSpec> = {
  plain: C({}),
  'port 65535': C({ ports: [{ containerPort: 65535 }] }),
  'hostPort 0': C({ ports: [{ containerPort: 1, hostPort: 0 }] }),
  'hostPort same under hostNetwork': S({ hostNetwork: true }, { ports: [{ containerPort: 2, hostPort: 2 }] }),
  'same containerPort in two containers': S({
    containers: [
      { name: 'a', image: 'i', ports: [{ containerPort: 1 }] },
      { name: 'b', image: 'i', ports: [{ containerPort: 1 }] },
    ],
  }),
  'port name 15': C({ ports: [{ containerPort: 1, name: 'a23456789012345' }] }),
  'port name empty': C({ ports: [{ containerPort: 1, name: '' }] }),
  'port names twice in two containers': S({
    containers: [
      { name: 'a', image: 'i', ports: [{ containerPort: 1, name: 'a' }] },
      { name: 'b', image: 'i', ports: [{ containerPort: 2, name: 'a' }] },
    ],
  }),
  'hostIP bad': C({ ports: [{ containerPort: 1, hostIP: 'x' }] }),
  'env name with blank': C({ env: [{ name: 'A B', value: 'a' }] }),
  'env name 1A': C({ env: [{ name: '1A', value: 'a' }] }),
  'env empty value and valueFrom': C({
    env: [{ name: 'A', value: '', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  }),
  "env fieldPath metadata.labels['a']": C({
    env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } }],
  }),
  "env fieldPath metadata.annotations['a']": C({
    env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['a']" } } }],
  }),
  'env fieldPath spec.nodeName': C({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }] }),
  'env fieldPath status.podIPs': C({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.podIPs' } } }] }),
  'env fieldPath status.hostIPs': C({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.hostIPs' } } }] }),
  'env resource limits.cpu': C({ env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] }),
  'env twice': C({
    env: [
      { name: 'A', value: 'a' },
      { name: 'A', value: 'b' },
    ],
  }),
  'envFrom prefix 1': C({ envFrom: [{ prefix: '1-', configMapRef: { name: 'a' } }] }),
  'request equal limit': C({ resources: { limits: { cpu: '1' }, requests: { cpu: '1000m' } } }),
  'limit zero': C({ resources: { limits: { cpu: '0' } } }),
  'gpu both equal': C({ resources: { limits: { 'nvidia.com/gpu': 2 }, requests: { 'nvidia.com/gpu': 2 } } }),
  'resource kubernetes.io/x': C({ resources: { limits: { 'kubernetes.io/x': 1 } } }),
  'hugepages with memory': C({ resources: { limits: { 'hugepages-2Mi': '4Mi', memory: '1Gi' } } }),
  'cpu 0.0001': C({ resources: { limits: { cpu: '0.0001' } } }),
  'memory 100m': C({ resources: { limits: { memory: '100m' } } }),
  'label value empty': M({ labels: { a: '' } }),
  'annotation key Capital prefix': M({ annotations: { 'Example.com/a': 'c' } }),
  'volume no source': S({ volumes: [{ name: 'a' }] }),
  'volume hostPath relative': S({ volumes: [{ name: 'a', hostPath: { path: 'a' } }] }),
  'volume configMap mode 0777': S({ volumes: [{ name: 'a', configMap: { name: 'x', defaultMode: 511 } }] }),
  'volume claim bad name': S({ volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'A_B' } }] }),
  'volume emptyDir medium': S({ volumes: [{ name: 'a', emptyDir: { medium: 'Disk' } }] }),
  'mount relative path': S(
    { volumes: [{ name: 'x', emptyDir: {} }] },
    { volumeMounts: [{ name: 'x', mountPath: 'data' }] },
  ),
  'mount path with colon': S(
    { volumes: [{ name: 'x', emptyDir: {} }] },
    { volumeMounts: [{ name: 'x', mountPath: '/a:b' }] },
  ),
  'grace -1': S({ terminationGracePeriodSeconds: -1 }),
  'grace 0': S({ terminationGracePeriodSeconds: 0 }),
  'schedulerName bad': S({ schedulerName: 'A_B' }),
  'probe port name unknown': C({ livenessProbe: { httpGet: { port: 'web' } } }),
  'readiness successThreshold 2': C({ readinessProbe: { tcpSocket: { port: 1 }, successThreshold: 2 } }),
  'terminationMessagePath relative': C({ terminationMessagePath: 'a/b' }),
  'init restartPolicy OnFailure': S({ initContainers: [{ name: 'a', image: 'i', restartPolicy: 'OnFailure' }] }),
  'imagePullSecrets empty name': S({ imagePullSecrets: [{ name: '' }] }),
  'workingDir relative': C({ workingDir: 'a' }),
}

export const podRows: PodRow[] = [
  ...Object.entries(refused).map(([name, template]) => ({ name, template, refused: true })),
  ...Object.entries(accepted).map(([name, template]) => ({ name, template, refused: false })),
]
