import { area, configMap, core, get, patch, pod, post, put, service } from '../case.ts'

const write = area('write')
const maps = core('configmaps')
const pods = core('pods')

export const WRITE = [
  write('a config map', post(maps, configMap('a', { data: { k: 'v' } })), get(`${maps}/a`)),
  write(
    'with labels and annotations',
    post(maps, configMap('a', { metadata: { labels: { x: 'y' }, annotations: { 'a.b/c': 'd' } } })),
  ),
  write(
    'empty maps and nulls vanish',
    post(maps, configMap('a', { data: {}, binaryData: null, metadata: { labels: {}, annotations: null } })),
  ),
  write(
    'generateName',
    post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'g-', name: 'fixed' } }),
  ),
  write('a name is needed', post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })),
  write('twice the same', post(maps, configMap('a')), post(maps, configMap('a'))),
  write('dry run', post(`${maps}?dryRun=All`, configMap('a')), get(`${maps}/a`)),
  write('with a resourceVersion', post(maps, configMap('a', { metadata: { resourceVersion: '5' } }))),
  write(
    'server fields are ignored',
    post(
      maps,
      configMap('a', {
        metadata: { uid: 'x', creationTimestamp: '2020-01-01T00:00:00Z', generation: 7, selfLink: '/x' },
      }),
    ),
  ),
  write('another namespace', post(maps, configMap('a', { metadata: { namespace: 'other' } }))),
  write('a namespace that is not there', post('/api/v1/namespaces/nowhere/configmaps', configMap('a'))),
  write(
    'replace',
    post(maps, configMap('a', { data: { k: '1' } })),
    put(`${maps}/a`, configMap('a', { data: { k: '2' } })),
    get(`${maps}/a`),
  ),
  write(
    'replace with the right revision',
    post(maps, configMap('a')),
    put(`${maps}/a`, configMap('a', { data: { k: '2' }, metadata: { resourceVersion: '{rv}' } })),
  ),
  write(
    'replace from an old state',
    post(maps, configMap('a')),
    patch('merge', `${maps}/a`, { data: { k: '1' } }),
    put(`${maps}/a`, configMap('a', { metadata: { resourceVersion: '1' } })),
  ),
  write('replace what is not there', put(`${maps}/a`, configMap('a'))),
  write('replace under another name', post(maps, configMap('a')), put(`${maps}/a`, configMap('b'))),
  write(
    'replace with a foreign uid',
    post(maps, configMap('a')),
    put(`${maps}/a`, configMap('a', { metadata: { uid: 'e6a3b1f0-0000-4000-8000-000000000000' } })),
  ),
  write(
    'no change, no revision',
    post(maps, configMap('a', { data: { k: '1' } })),
    put(`${maps}/a`, configMap('a', { data: { k: '1' } })),
    get(`${maps}/a`),
  ),
  write(
    'an immutable config map',
    post(maps, configMap('a', { immutable: true, data: { k: '1' } })),
    put(`${maps}/a`, configMap('a', { immutable: true, data: { k: '2' } })),
  ),
  write('bad keys', post(maps, configMap('a', { data: { 'bad key': 'x' } }))),
  write(
    'a secret',
    post(core('secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: 'b' },
      data: { c: 'ZA==' },
    }),
  ),
  write(
    'a secret that is no base64',
    post(core('secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { c: 'not base64!' } }),
  ),
  write(
    'a tls secret without keys',
    post(core('secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      type: 'kubernetes.io/tls',
      data: {},
    }),
  ),
  write('a pod', post(pods, pod('p')), get(`${pods}/p`)),
  write(
    'a pod with much in it',
    post(
      pods,
      pod('p', {
        containers: [
          {
            name: 'c',
            image: 'busybox:1.36',
            command: ['sleep'],
            args: ['1'],
            workingDir: '/w',
            env: [
              { name: 'A', value: '' },
              { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
            ],
            ports: [{ containerPort: 80, name: 'http' }],
            resources: { limits: { cpu: '1500m', memory: '1024Mi' }, requests: { cpu: 0.5 } },
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: { exec: { command: ['true'] }, periodSeconds: 3 },
            lifecycle: { preStop: { exec: { command: ['sync'] } } },
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          },
        ],
        initContainers: [
          { name: 'i', image: 'x@sha256:0123456789012345678901234567890123456789012345678901234567890123' },
        ],
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'w', configMap: { name: 'm' } },
          { name: 'x', secret: { secretName: 's' } },
          { name: 'y', hostPath: { path: '/tmp' } },
          { name: 'z' },
          { name: 'd', downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        ],
        restartPolicy: 'Never',
        nodeSelector: { a: 'b' },
        hostname: 'h',
        subdomain: 's',
        activeDeadlineSeconds: 100,
        tolerations: [{ key: 'k', operator: 'Exists' }],
      }),
    ),
  ),
  write(
    'guaranteed quality',
    post(
      pods,
      pod('p', { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1', memory: '1Gi' } } }] }),
    ),
  ),
  write(
    'quantities become canonical',
    post(
      pods,
      pod('p', {
        containers: [
          { name: 'c', image: 'i', resources: { limits: { cpu: '2000m', memory: '1048576Ki', 'a.b/gpu': 2 } } },
        ],
      }),
    ),
  ),
  write('a pod without containers', post(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} })),
  write('a container without name and image', post(pods, pod('p', { containers: [{}] }))),
  write(
    'two containers of one name',
    post(
      pods,
      pod('p', {
        containers: [
          { name: 'c', image: 'i' },
          { name: 'c', image: 'i' },
        ],
      }),
    ),
  ),
  write('a bad restart policy', post(pods, pod('p', { restartPolicy: 'Sometimes' }))),
  write(
    'a mount without its volume',
    post(pods, pod('p', { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] })),
  ),
  write(
    'a request over its limit',
    post(
      pods,
      pod('p', {
        containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }],
      }),
    ),
  ),
  write(
    'a bad port',
    post(pods, pod('p', { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 70000 }] }] })),
  ),
  write(
    'a bad variable name',
    post(pods, pod('p', { containers: [{ name: 'c', image: 'i', env: [{ name: 'a=b', value: 'x' }] }] })),
  ),
  write(
    'value and valueFrom',
    post(
      pods,
      pod('p', {
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [{ name: 'a', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          },
        ],
      }),
    ),
  ),
  write('a missing priority class', post(pods, pod('p', { priorityClassName: 'none' }))),
  write('a pod spec stays', post(pods, pod('p')), patch('merge', `${pods}/p`, { spec: { restartPolicy: 'Never' } })),
  write(
    'an image may change',
    post(pods, pod('p')),
    patch('strategic', `${pods}/p`, { spec: { containers: [{ name: 'c', image: 'other' }] } }),
  ),
  write('status of a new pod is dropped', post(pods, { ...pod('p'), status: { phase: 'Running' } })),
  write(
    'pod status',
    post(pods, pod('p')),
    patch('merge', `${pods}/p/status`, { status: { phase: 'Running', podIP: '10.0.0.1' } }),
    get(`${pods}/p`),
  ),
  write(
    'status leaves the rest alone',
    post(pods, pod('p')),
    patch('merge', `${pods}/p/status`, { metadata: { labels: { a: 'b' } }, status: { phase: 'Failed', message: 'm' } }),
  ),
  write('a service', post(core('services'), service('s'))),
  write('a headless service', post(core('services'), service('s', { clusterIP: 'None' }))),
  write('a service without ports', post(core('services'), service('s', { ports: [] }))),
  write('a headless service without ports', post(core('services'), service('s', { clusterIP: 'None', ports: null }))),
  write('unnamed ports', post(core('services'), service('s', { ports: [{ port: 1 }, { port: 2 }] }))),
  write(
    'a service address stays',
    post(core('services'), service('s')),
    patch('merge', core('services', '/s'), { spec: { clusterIP: '10.96.7.7', clusterIPs: ['10.96.7.7'] } }),
  ),
  write(
    'replace a service without its address',
    post(core('services'), service('s')),
    put(core('services', '/s'), service('s', { ports: [{ port: 81 }] })),
  ),
  write('a service name with a capital', post(core('services'), service('S'))),
  write(
    'a service account',
    post(core('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 's' } }),
  ),
  write(
    'a claim',
    post(core('persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
  ),
  write(
    'a claim for nothing',
    post(core('persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: {},
    }),
  ),
  write(
    'a lease',
    post('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-01T00:00:00.000000Z',
        renewTime: '2026-01-01T00:00:00.123456Z',
      },
    }),
  ),
  write(
    'a lease of no length',
    post('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { leaseDurationSeconds: 0 },
    }),
  ),
  write(
    'an event',
    post(core('events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
      reason: 'R',
      message: 'M',
      type: 'Normal',
      source: { component: 'c' },
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
    }),
  ),
  write(
    'an event about elsewhere',
    post(core('events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'other' },
      reason: 'R',
    }),
  ),
  write(
    'endpoints',
    post(core('endpoints'), {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'e' },
      subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }],
    }),
  ),
  write(
    'binding a pod',
    post(pods, pod('p')),
    post(`${pods}/p/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'n1' },
    }),
    get(`${pods}/p`),
    post(`${pods}/p/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'n2' },
    }),
  ),
  write(
    'a namespace',
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-more' } }),
    get('/api/v1/namespaces/{ns}-more'),
  ),
  write(
    'a priority class',
    post('/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: '{ns}' },
      value: 10,
    }),
    patch('merge', '/apis/scheduling.k8s.io/v1/priorityclasses/{ns}', { value: 11 }),
  ),
  write(
    'a node',
    // Nodes that are there are soon changed by a cluster's controllers.
    post('/api/v1/nodes?dryRun=All', { apiVersion: 'v1', kind: 'Node', metadata: { name: '{ns}' } }),
  ),
  write(
    'status of a node',
    post('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: '{ns}', annotations: { 'node.alpha.kubernetes.io/ttl': '0' } },
      spec: { podCIDR: '10.9.8.0/24', podCIDRs: ['10.9.8.0/24'] },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    }),
    patch('merge', '/api/v1/nodes/{ns}/status?dryRun=All', { status: { capacity: { cpu: '4' } } }),
  ),
]
