import { apply, area, type Case, configMap, core, get, patch, pod, post, put, type Step } from '../case.ts'

const one = area('apply')
const maps = core('configmaps')
const pods = core('pods')
const map = (data: unknown, metadata: unknown = {}) => configMap('a', { data, metadata })
const onMap = (name: string, ...steps: Step[]): Case => one(name, ...steps, get(`${maps}/a`))
const as = (manager: string, data: unknown, more = '', metadata: unknown = {}): Step =>
  apply(`${maps}/a`, manager, map(data, metadata), more)

const withContainers = (containers: unknown[], metadata: unknown = {}) => pod('p', { containers }, metadata)
const podAs = (manager: string, containers: unknown[], more = ''): Step =>
  apply(`${pods}/p`, manager, withContainers(containers), more)
const status = (manager: string, body: unknown, more = ''): Step =>
  apply(`${pods}/p/status`, manager, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status: body }, more)
const ready = (value: string) => ({ conditions: [{ type: 'Ready', status: value }] })

const svc = (ports: unknown[]) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { clusterIP: 'None', ports },
})
const svcAs = (manager: string, ports: unknown[], more = ''): Step =>
  apply(core('services', '/s'), manager, svc(ports), more)

export const APPLY: Case[] = [
  onMap('creates', as('one', { a: '1' })),
  onMap('creates with labels', as('one', { a: '1' }, '', { labels: { x: 'y' }, annotations: { m: 'n' } })),
  onMap('again without change', as('one', { a: '1' }), as('one', { a: '1' })),
  onMap('a value changes', as('one', { a: '1' }), as('one', { a: '2' })),
  onMap('a field left out goes', as('one', { a: '1', b: '2' }), as('one', { a: '1' })),
  onMap('all fields left out', as('one', { a: '1', b: '2' }), as('one', undefined)),
  onMap('two managers share', as('one', { a: '1' }), as('two', { b: '2' })),
  onMap('the same value is owned by both', as('one', { a: '1' }), as('two', { a: '1' })),
  onMap('one lets go of what both own', as('one', { a: '1', b: '2' }), as('two', { a: '1' }), as('one', { b: '2' })),
  onMap('a conflict', as('one', { a: '1' }), as('two', { a: '2' })),
  onMap('two conflicts', as('one', { a: '1', b: '1' }), as('two', { a: '2', b: '2' })),
  onMap(
    'force over two managers',
    as('one', { a: '1' }),
    as('two', { b: '1' }),
    as('three', { a: '2', b: '2' }, '&force=true'),
  ),
  onMap('force', as('one', { a: '1' }), as('two', { a: '2' }, '&force=true')),
  onMap('conflict with an update', post(maps, map({ a: '1' })), as('two', { a: '2' })),
  onMap('force over an update', post(maps, map({ a: '1', b: '2' })), as('two', { a: '2' }, '&force=true')),
  onMap('agreeing with an update', post(maps, map({ a: '1' })), as('two', { a: '1' })),
  onMap(
    'an update takes over',
    as('one', { a: '1' }),
    patch('merge', `${maps}/a?fieldManager=u`, { data: { a: '2' } }),
  ),
  onMap(
    'applied again after an update',
    as('one', { a: '1' }),
    patch('merge', `${maps}/a?fieldManager=u`, { data: { a: '2' } }),
    as('one', { a: '1' }),
  ),
  onMap(
    'an update removes',
    as('one', { a: '1', b: '2' }),
    patch('merge', `${maps}/a?fieldManager=u`, { data: { a: null } }),
  ),
  onMap('a replace by another', as('one', { a: '1' }), put(`${maps}/a?fieldManager=u`, map({ b: '2' }))),
  onMap('dry run', as('one', { a: '1' }), as('one', { a: '2' }, '&dryRun=All')),
  onMap('no manager', patch('apply', `${maps}/a`, map({ a: '1' }))),
  onMap('managed fields in the body', as('one', { a: '1' }, '', { managedFields: [] })),
  onMap('a revision that is old', as('one', { a: '1' }), as('one', { a: '2' }, '', { resourceVersion: '1' })),
  onMap('as yaml', {
    ...as('one', {}),
    body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: "1"\n',
  }),
  onMap('yaml that is none', { ...as('one', {}), body: '{{{' }),
  onMap('another kind', apply(`${maps}/a`, 'one', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } })),
  onMap('another name', apply(`${maps}/a`, 'one', configMap('b'))),
  onMap(
    'managers forgotten',
    as('one', { a: '1' }),
    patch('merge', `${maps}/a?fieldManager=u`, { metadata: { managedFields: [{}] } }),
    as('two', { a: '2' }),
  ),
  onMap(
    'kubectl takes over from its annotation',
    post(
      `${maps}?fieldManager=kubectl-client-side-apply`,
      map(
        { a: '1' },
        {
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration':
              '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"a"},"data":{"a":"1"}}',
          },
        },
      ),
    ),
    as('kubectl', { a: '2' }),
  ),
  onMap(
    'finalizers are a set',
    as('one', {}, '', { finalizers: ['a.b/1'] }),
    as('two', {}, '', { finalizers: ['a.b/2'] }),
    as('one', {}, '', { finalizers: [] }),
  ),
  onMap(
    'owner references by uid',
    as('one', {}, '', { ownerReferences: [{ apiVersion: 'v1', kind: 'Foo', name: 'o', uid: 'u1' }] }),
    as('two', {}, '', { ownerReferences: [{ apiVersion: 'v1', kind: 'Foo', name: 'p', uid: 'u2' }] }),
  ),
  one('a pod', podAs('one', [{ name: 'c', image: 'i' }]), get(`${pods}/p`)),
  one('an image changes', podAs('one', [{ name: 'c', image: 'i' }]), podAs('one', [{ name: 'c', image: 'j' }])),
  one('a conflict in a list', podAs('one', [{ name: 'c', image: 'i' }]), podAs('two', [{ name: 'c', image: 'j' }])),
  one(
    'an agreed list',
    podAs('one', [{ name: 'c', image: 'i', env: [{ name: 'A', value: '1' }] }]),
    podAs('two', [{ name: 'c', image: 'i' }]),
  ),
  one(
    'status of a pod',
    post(pods, pod('p')),
    status('one', ready('True')),
    status('two', { conditions: [{ type: 'Other', status: 'True' }] }),
    status('one', ready('False')),
  ),
  one('a conflict in status', post(pods, pod('p')), status('one', ready('True')), status('two', ready('False'))),
  one(
    'status items left out',
    post(pods, pod('p')),
    status('one', {
      conditions: [
        { type: 'A', status: 'True' },
        { type: 'B', status: 'True' },
      ],
    }),
    status('one', { conditions: [{ type: 'B', status: 'True' }] }),
  ),
  one(
    'a service with ports',
    svcAs('one', [{ port: 1, name: 'a' }]),
    svcAs('two', [{ port: 2, name: 'b' }]),
    svcAs('one', [{ port: 3, name: 'c' }]),
  ),
  one(
    'a port without protocol',
    svcAs('one', [{ port: 1, name: 'a' }]),
    svcAs('one', [{ port: 1, name: 'a', protocol: 'TCP' }]),
  ),
  one(
    'order of items',
    svcAs('one', [
      { port: 1, name: 'a' },
      { port: 2, name: 'b' },
    ]),
    svcAs('one', [
      { port: 2, name: 'b' },
      { port: 3, name: 'c' },
      { port: 1, name: 'a' },
    ]),
  ),
  one('an unknown field, strictly', apply(`${maps}/a`, 'one', { ...map({}), foo: 1 }, '&fieldValidation=Strict')),
  one('an unknown field', apply(`${maps}/a`, 'one', { ...map({}), foo: 1 })),
  one('the wrong type', apply(`${maps}/a`, 'one', map({ a: 1 }))),
  one('status by the main way is not owned', apply(`${pods}/p`, 'one', { ...pod('p'), status: { phase: 'Running' } })),
]
