import { area, type Case, configMap, core, get, patch, pod, post, put, type Step } from '../case.ts'

// Options of writes, and kinds that have rules of their own.
const one = area('write')
const maps = core('configmaps')
const pods = core('pods')
const events = core('events')
const secrets = core('secrets')
const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases'
const lease = (spec: object, metadata: object = {}): object => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'l', ...metadata },
  spec,
})
const secret = (more: object): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, ...more })
const container = (more: object): Step => post(pods, pod('p', { containers: [{ name: 'c', image: 'i', ...more }] }))
const service = (spec: object): Step =>
  post(`${core('services')}?dryRun=All`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec })

export const WRITE_MORE: Case[] = [
  one(
    'a replace, dry',
    post(maps, configMap('a', { data: { k: '1' } })),
    put(`${maps}/a?dryRun=All`, configMap('a', { data: { k: '2' } })),
    get(`${maps}/a`),
  ),
  one('a replace with an unknown field', post(maps, configMap('a')), put(`${maps}/a`, { ...configMap('a'), foo: 1 })),
  one(
    'a replace with an unknown field, strictly',
    post(maps, configMap('a')),
    put(`${maps}/a?fieldValidation=Strict`, { ...configMap('a'), foo: 1 }),
  ),
  one(
    'a replace by another manager',
    post(`${maps}?fieldManager=one`, configMap('a', { data: { k: '1', l: '1' } })),
    put(`${maps}/a?fieldManager=two`, configMap('a', { data: { k: '2', l: '1' } })),
  ),
  one(
    'a replace without its name',
    post(maps, configMap('a')),
    put(`${maps}/a`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }),
  ),
  one(
    'a replace in another namespace',
    post(maps, configMap('a')),
    put(`${maps}/a`, configMap('a', { metadata: { namespace: 'other' } })),
  ),
  one(
    'a replace that forges managers',
    post(maps, configMap('a', { data: { k: '1' } })),
    put(`${maps}/a`, configMap('a', { data: { k: '2' }, metadata: { managedFields: [] } })),
  ),
  one(
    'metadata that is owned',
    post(maps, configMap('a', { metadata: { labels: { a: '1' }, annotations: { b: '2' }, finalizers: ['a.b/c'] } })),
  ),
  one('a table of what was made', {
    ...post(maps, configMap('a')),
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  }),
  one(
    'binary data',
    post(maps, configMap('a', { binaryData: { k: 'AAE=' } })),
    post(maps, configMap('b', { data: { k: 'x' }, binaryData: { k: 'AAE=' } })),
  ),
  one(
    'an immutable one let go',
    post(maps, configMap('a', { immutable: true })),
    patch('merge', `${maps}/a`, { immutable: null }),
  ),
  one(
    'a secret changes its type',
    post(secrets, secret({ type: 'Opaque' })),
    put(`${secrets}/s`, secret({ type: 'kubernetes.io/tls' })),
  ),
  one(
    'a docker secret',
    post(secrets, secret({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'eyJ4' } })),
  ),
  one('a secret with basic credentials', post(secrets, secret({ type: 'kubernetes.io/basic-auth' }))),
  one(
    'a lease taken over',
    post(leases, lease({ holderIdentity: 'a', leaseDurationSeconds: 15 })),
    put(
      `${leases}/l`,
      lease({ holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 1 }, { resourceVersion: '{rv}' }),
    ),
  ),
  one(
    'a lease without its revision',
    post(leases, lease({ holderIdentity: 'a' })),
    put(`${leases}/l`, lease({ holderIdentity: 'b' })),
  ),
  one('a lease with a bad time', post(leases, lease({ renewTime: 'now' }))),
  one(
    'an event again',
    post(events, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { namespace: '{ns}' },
      count: 1,
    }),
    patch('merge', `${events}/e`, { count: 2, lastTimestamp: '2026-01-01T00:00:00Z' }),
  ),
  one(
    'an event in a series',
    post(events, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { namespace: '{ns}' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      action: 'A',
      reason: 'R',
      type: 'Normal',
      reportingComponent: 'c.d/e',
      reportingInstance: 'i',
      series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
    }),
  ),
  one(
    'a pod status put',
    post(pods, pod('p')),
    put(`${pods}/p/status`, { ...pod('p'), status: { phase: 'Succeeded', message: 'done' } }),
  ),
  one(
    'container statuses',
    post(pods, pod('p')),
    patch('merge', `${pods}/p/status`, {
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            name: 'c',
            ready: true,
            restartCount: 0,
            image: 'i',
            imageID: '',
            state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
          },
        ],
      },
    }),
  ),
  one('deadlines', post(pods, pod('p', { activeDeadlineSeconds: 0 }))),
  one(
    'a deadline lengthened',
    post(pods, pod('p', { activeDeadlineSeconds: 10 })),
    patch('merge', `${pods}/p`, { spec: { activeDeadlineSeconds: 20 } }),
  ),
  one('grace periods', post(pods, pod('p', { terminationGracePeriodSeconds: -5 }))),
  one('a bad image pull policy', container({ imagePullPolicy: 'Sometimes' })),
  one('an image with blanks', container({ image: ' i ' })),
  one('a probe of two ways', container({ livenessProbe: { exec: { command: ['x'] }, httpGet: { port: 1 } } })),
  one('a probe of no way', container({ readinessProbe: { periodSeconds: 1 } })),
  one(
    'a probe by name',
    container({ ports: [{ name: 'web', containerPort: 80 }], livenessProbe: { httpGet: { port: 'web', path: '/x' } } }),
  ),
  one(
    'two ports of one name',
    container({
      ports: [
        { name: 'a', containerPort: 1 },
        { name: 'a', containerPort: 2 },
      ],
    }),
  ),
  one('a resource nobody knows', container({ resources: { limits: { frob: '1' } } })),
  one('a device that is shared out', container({ resources: { limits: { 'a.b/gpu': '500m' } } })),
  one('a device without a limit', container({ resources: { requests: { 'a.b/gpu': '1' } } })),
  one(
    'a volume of two kinds',
    post(pods, pod('p', { volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] })),
  ),
  one(
    'a mount twice',
    post(
      pods,
      pod('p', {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          {
            name: 'c',
            image: 'i',
            volumeMounts: [
              { name: 'v', mountPath: '/a' },
              { name: 'v', mountPath: '/a' },
            ],
          },
        ],
      }),
    ),
  ),
  one('a bad node selector', post(pods, pod('p', { nodeSelector: { 'a b': 'c' } }))),
  one('a bad toleration', post(pods, pod('p', { tolerations: [{ operator: 'Maybe' }] }))),
  one('a bad hostname', post(pods, pod('p', { hostname: 'Bad_Host', subdomain: 'Bad_Sub' }))),
  one('a bad scheduling gate', post(pods, pod('p', { schedulingGates: [{ name: 'a.b/c' }] })), get(`${pods}/p`)),
  one('init containers', post(pods, pod('p', { initContainers: [{ name: 'c', image: 'i' }] }))),
  one('a sidecar', post(pods, pod('p', { initContainers: [{ name: 's', image: 'i', restartPolicy: 'Always' }] }))),
  one(
    'dns by hand',
    post(pods, pod('p', { dnsPolicy: 'None' })),
    post(pods, pod('p', { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'], searches: ['x.y'] } })),
  ),
  one('a service of the outside', service({ type: 'ExternalName', externalName: 'a.b' })),
  one('a service of the outside without a name', service({ type: 'ExternalName' })),
  one('a service of an unknown type', service({ type: 'Foo', ports: [{ port: 1 }] })),
  one('a service with a bad port', service({ ports: [{ port: 0, targetPort: 'bad name!' }] })),
  one(
    'a service with two ports of one name',
    service({
      clusterIP: 'None',
      ports: [
        { name: 'a', port: 1 },
        { name: 'a', port: 2 },
      ],
    }),
  ),
  one('a service with a bad protocol', service({ clusterIP: 'None', ports: [{ port: 1, protocol: 'FOO' }] })),
  one(
    'a service that publishes early',
    service({ clusterIP: 'None', publishNotReadyAddresses: true, selector: { a: 'b' }, ports: [{ port: 1 }] }),
  ),
  one(
    'a binding to nowhere',
    post(pods, pod('p')),
    post(`${pods}/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: {} }),
  ),
  one(
    'a binding of nothing',
    post(`${pods}/none/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'none' },
      target: { kind: 'Node', name: 'n' },
    }),
  ),
  one(
    'a node cordoned',
    post('/api/v1/nodes?dryRun=All', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: '{ns}' },
      spec: { unschedulable: true, taints: [{ key: 'a', effect: 'NoSchedule' }] },
    }),
  ),
  one(
    'a taint of an unknown effect',
    post('/api/v1/nodes?dryRun=All', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: '{ns}' },
      spec: { taints: [{ key: 'a', effect: 'Foo' }] },
    }),
  ),
  one(
    'a priority class over the limit',
    post('/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: '{ns}' },
      value: 2_000_000_000,
    }),
  ),
  one(
    'a claim with an unknown mode',
    post(core('persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: { accessModes: ['Foo'], resources: { requests: { storage: '1Gi' } } },
    }),
  ),
  one(
    'a claim changes',
    post(core('persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
    patch('merge', core('persistentvolumeclaims', '/c'), { metadata: { labels: { a: 'b' } } }),
  ),
]
