import { area, type Case, configMap, core, get, patch, pod, post, type Step } from '../case.ts'

const one = area('patch')
const maps = core('configmaps')
const pods = core('pods')

const start = configMap('a', { data: { a: '1', b: '2' }, metadata: { labels: { x: 'y' }, annotations: { n: '1' } } })
const onMap = (name: string, kind: string, ...bodies: unknown[]): Case =>
  one(
    `${kind} on a config map: ${name}`,
    post(maps, start),
    ...bodies.map((body): Step => patch(kind, `${maps}/a`, body)),
    get(`${maps}/a`),
  )

const rich = pod(
  'p',
  {
    containers: [
      {
        name: 'a',
        image: 'i',
        env: [
          { name: 'X', value: '1' },
          { name: 'Y', value: '2' },
        ],
        ports: [{ containerPort: 80 }],
        args: ['1', '2'],
      },
      { name: 'b', image: 'i' },
    ],
    tolerations: [{ key: 'k', operator: 'Exists' }],
  },
  { finalizers: ['a.b/c'], labels: { x: 'y' } },
)
const onPod = (name: string, kind: string, body: unknown): Case =>
  one(`${kind} on a pod: ${name}`, post(pods, rich), patch(kind, `${pods}/p?dryRun=All`, body))

const condition = (type: string, status: string) => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime: '2026-01-01T00:00:00Z',
})
const status = {
  status: { conditions: [condition('Ready', 'True'), condition('Disk', 'False')], podIPs: [{ ip: '1.1.1.1' }] },
}
const onStatus = (name: string, body: unknown): Case =>
  one(
    `strategic on a status: ${name}`,
    post(pods, pod('p')),
    patch('merge', `${pods}/p/status`, status),
    patch('strategic', `${pods}/p/status`, { status: body }),
  )

const ports = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: {
    clusterIP: 'None',
    ports: [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ],
    selector: { x: 'y', z: 'w' },
  },
}
const onService = (name: string, body: unknown): Case =>
  one(
    `strategic on a service: ${name}`,
    post(core('services'), ports),
    patch('strategic', core('services', '/s'), body),
  )

export const PATCH: Case[] = [
  onMap('add', 'json', [{ op: 'add', path: '/data/c', value: '3' }]),
  onMap('remove', 'json', [{ op: 'remove', path: '/data/a' }]),
  onMap('replace', 'json', [{ op: 'replace', path: '/data/a', value: '9' }]),
  onMap('move', 'json', [{ op: 'move', from: '/data/a', path: '/data/z' }]),
  onMap('copy', 'json', [{ op: 'copy', from: '/data/a', path: '/data/z' }]),
  onMap('test passes', 'json', [
    { op: 'test', path: '/data/a', value: '1' },
    { op: 'add', path: '/data/t', value: 'x' },
  ]),
  onMap('test fails', 'json', [
    { op: 'test', path: '/data/a', value: '2' },
    { op: 'add', path: '/data/t', value: 'x' },
  ]),
  onMap('remove what is not there', 'json', [{ op: 'remove', path: '/data/none' }]),
  onMap('replace what is not there', 'json', [{ op: 'replace', path: '/data/none', value: '1' }]),
  onMap('an escaped key', 'json', [{ op: 'add', path: '/metadata/annotations/a.b~1c', value: '1' }]),
  onMap('the whole of data', 'json', [{ op: 'replace', path: '/data', value: { only: '1' } }]),
  onMap('an unknown operation', 'json', [{ op: 'frob', path: '/data/a' }]),
  onMap('no list', 'json', { op: 'add' }),
  onMap('a number where text belongs', 'json', [{ op: 'add', path: '/data/n', value: 5 }]),
  onMap('the name', 'json', [{ op: 'replace', path: '/metadata/name', value: 'other' }]),
  onMap('nothing', 'json', []),
  onMap('finalizers appended', 'json', [
    { op: 'add', path: '/metadata/finalizers', value: ['a.b/1'] },
    { op: 'add', path: '/metadata/finalizers/-', value: 'a.b/2' },
  ]),
  onMap('values', 'merge', { data: { a: '9', c: '3' } }),
  onMap('null removes', 'merge', { data: { a: null } }),
  onMap('null removes all', 'merge', { data: null }),
  onMap('labels', 'merge', { metadata: { labels: { x: null, z: 'w' } } }),
  onMap('the right revision', 'merge', { metadata: { resourceVersion: '{rv}' }, data: { a: '9' } }),
  onMap('a wrong revision', 'merge', { metadata: { resourceVersion: '1' }, data: { a: '9' } }),
  onMap('the uid', 'merge', { metadata: { uid: 'e6a3b1f0-0000-4000-8000-000000000000' } }),
  onMap('the creation time', 'merge', { metadata: { creationTimestamp: '2000-01-01T00:00:00Z' } }),
  onMap('the kind', 'merge', { kind: 'Secret' }),
  onMap('an unknown field', 'merge', { foo: 'bar' }),
  onMap('a list', 'merge', []),
  onMap('twice the same', 'merge', { data: { a: '9' } }, { data: { a: '9' } }),
  onMap('nothing', 'merge', {}),
  onMap('managed fields emptied', 'merge', { metadata: { managedFields: [{}] } }),
  onMap('values', 'strategic', { data: { a: '9', c: '3' } }),
  onMap('null removes', 'strategic', { data: { a: null } }),
  onMap('replace a map', 'strategic', { data: { $patch: 'replace', only: '1' } }),
  onMap('delete a map', 'strategic', { data: { $patch: 'delete' } }),
  onMap('a bad directive', 'strategic', { data: { $patch: 'frob' } }),
  onPod('a container by name', 'strategic', { spec: { containers: [{ name: 'a', image: 'new' }] } }),
  onPod('a finalizer added', 'strategic', { metadata: { finalizers: ['d.e/f'] } }),
  onPod('a finalizer taken off', 'strategic', { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.b/c'] } }),
  onPod('finalizers in order', 'strategic', {
    metadata: { '$setElementOrder/finalizers': ['d.e/f', 'a.b/c'], finalizers: ['d.e/f'] },
  }),
  onPod('a toleration added', 'strategic', {
    spec: {
      tolerations: [
        { key: 'k', operator: 'Exists' },
        { key: 'new', operator: 'Exists' },
      ],
    },
  }),
  onPod('an item without its key', 'strategic', { spec: { containers: [{ image: 'new' }] } }),
  onPod('a list where an object belongs', 'strategic', { spec: [] }),
  onPod('deadline', 'merge', { spec: { activeDeadlineSeconds: 60 } }),
  onPod('an image by index', 'json', [{ op: 'replace', path: '/spec/containers/1/image', value: 'new' }]),
  onPod('a bad index', 'json', [{ op: 'replace', path: '/spec/containers/7/image', value: 'new' }]),
  onPod('labels', 'merge', { metadata: { labels: { x: null } } }),
  onPod('owner references by uid', 'strategic', {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'u1' }] },
  }),
  onPod('an owner without uid', 'strategic', {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'o' }] },
  }),
  onStatus('a condition changes', { conditions: [{ type: 'Ready', status: 'False' }] }),
  onStatus('a condition goes', { conditions: [{ type: 'Disk', $patch: 'delete' }] }),
  onStatus('conditions replaced', { conditions: [{ $patch: 'replace' }, condition('Only', 'True')] }),
  onStatus('conditions in order', {
    '$setElementOrder/conditions': [{ type: 'New' }, { type: 'Disk' }, { type: 'Ready' }],
    conditions: [condition('New', 'True')],
  }),
  onStatus('a message', { message: 'm', conditions: [] }),
  onService('a port by its number', { spec: { ports: [{ port: 1, targetPort: 11 }] } }),
  onService('a port added', { spec: { ports: [{ port: 3, name: 'c' }] } }),
  onService('a port deleted', { spec: { ports: [{ port: 2, $patch: 'delete' }] } }),
  onService('the selector', { spec: { selector: { x: null, new: '1' } } }),
  onService('ports in order', { spec: { '$setElementOrder/ports': [{ port: 2 }, { port: 1 }], ports: [] } }),
  onService('retain keys', { spec: { selector: { $retainKeys: ['x'], x: '9' } } }),
  one('what is not there', patch('merge', `${maps}/none`, { data: {} })),
  one('an unknown patch type', post(maps, start), patch('application/foo', `${maps}/a`, {})),
]
