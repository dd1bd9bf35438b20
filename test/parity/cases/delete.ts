import { area, type Case, configMap, core, del, get, patch, pod, post } from '../case.ts'

const one = area('delete')
const maps = core('configmaps')
const pods = core('pods')
const map = (name: string, metadata: unknown = {}) => post(maps, configMap(name, { metadata }))
const held = { finalizers: ['a.b/hold'] }
const options = (more: unknown) => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...(more as object) })
const gone = (path: string) => ({ ...get(path), until: 404 })
const ownedBy = (name: string, block = true) => ({
  ownerReferences: [
    { apiVersion: 'v1', kind: 'ConfigMap', name, uid: '{uid}', ...(block ? { blockOwnerDeletion: true } : {}) },
  ],
})

export const DELETE: Case[] = [
  one('at once', map('a'), del(`${maps}/a`), get(`${maps}/a`)),
  one('what is not there', del(`${maps}/a`)),
  one('with options', map('a'), del(`${maps}/a`, options({}))),
  one('dry run', map('a'), del(`${maps}/a?dryRun=All`), get(`${maps}/a`)),
  one('the right uid', map('a'), del(`${maps}/a`, options({ preconditions: { uid: '{uid}' } }))),
  one(
    'a wrong uid',
    map('a'),
    del(`${maps}/a`, options({ preconditions: { uid: 'e6a3b1f0-0000-4000-8000-000000000000' } })),
  ),
  one('the right revision', map('a'), del(`${maps}/a`, options({ preconditions: { resourceVersion: '{rv}' } }))),
  one('a wrong revision', map('a'), del(`${maps}/a`, options({ preconditions: { resourceVersion: '1' } }))),
  one('a bad propagation', map('a'), del(`${maps}/a?propagationPolicy=Sideways`)),
  one(
    'two ways of propagation',
    map('a'),
    del(`${maps}/a`, options({ propagationPolicy: 'Orphan', orphanDependents: true })),
  ),
  one('a bad body', map('a'), del(`${maps}/a`, '{')),
  one(
    'held by a finalizer',
    map('a', held),
    del(`${maps}/a`),
    get(`${maps}/a`),
    patch('merge', `${maps}/a`, { metadata: { finalizers: null } }),
    get(`${maps}/a`),
  ),
  one('held, deleted twice', map('a', held), del(`${maps}/a`), del(`${maps}/a`)),
  one('a change while held', map('a', held), del(`${maps}/a`), patch('merge', `${maps}/a`, { data: { a: '1' } })),
  one(
    'a new finalizer while held',
    map('a', held),
    del(`${maps}/a`),
    patch('merge', `${maps}/a`, { metadata: { finalizers: ['a.b/hold', 'a.b/more'] } }),
  ),
  one(
    'one of two finalizers',
    map('a', { finalizers: ['a.b/1', 'a.b/2'] }),
    del(`${maps}/a`),
    patch('merge', `${maps}/a`, { metadata: { finalizers: ['a.b/2'] } }),
  ),
  one('a bad finalizer', map('a', { finalizers: ['no domain'] })),
  one(
    'orphaned',
    map('a'),
    map('b', ownedBy('a')),
    del(`${maps}/a`, options({ propagationPolicy: 'Orphan' })),
    gone(`${maps}/a`),
    get(`${maps}/b`),
  ),
  one(
    'in the background',
    map('a'),
    map('b', ownedBy('a')),
    del(`${maps}/a`, options({ propagationPolicy: 'Background' })),
    get(`${maps}/a`),
    gone(`${maps}/b`),
  ),
  one(
    'in the foreground',
    map('a'),
    map('b', ownedBy('a')),
    del(`${maps}/a`, options({ propagationPolicy: 'Foreground' })),
    gone(`${maps}/a`),
    gone(`${maps}/b`),
  ),
  one('in the foreground with nobody', map('a'), del(`${maps}/a?propagationPolicy=Foreground`), gone(`${maps}/a`)),
  one('dependents go by default', map('a'), map('b', ownedBy('a')), del(`${maps}/a`), gone(`${maps}/b`)),
  one(
    'an owner that never was',
    map('b', {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'e6a3b1f0-0000-4000-8000-000000000000' },
      ],
    }),
    gone(`${maps}/b`),
  ),
  one(
    'an owner of an unknown kind',
    map('b', {
      ownerReferences: [{ apiVersion: 'x.y/v1', kind: 'Foo', name: 'x', uid: 'e6a3b1f0-0000-4000-8000-000000000000' }],
    }),
    get(`${maps}/b`),
  ),
  one(
    'two controllers',
    map('b', {
      ownerReferences: ['x', 'y'].map((name) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name,
        uid: name,
        controller: true,
      })),
    }),
  ),
  one('a pod that nobody runs', post(pods, pod('p')), del(`${pods}/p`), get(`${pods}/p`)),
  one('a running pod', post(pods, pod('p', { nodeName: 'n' })), del(`${pods}/p`), get(`${pods}/p`)),
  one(
    'a running pod with its own grace',
    post(pods, pod('p', { nodeName: 'n', terminationGracePeriodSeconds: 7 })),
    del(`${pods}/p`),
  ),
  one('a running pod with grace', post(pods, pod('p', { nodeName: 'n' })), del(`${pods}/p?gracePeriodSeconds=5`)),
  one(
    'a running pod in a hurry',
    post(pods, pod('p', { nodeName: 'n' })),
    del(`${pods}/p`, options({ gracePeriodSeconds: 0 })),
    get(`${pods}/p`),
  ),
  one(
    'grace shortened',
    post(pods, pod('p', { nodeName: 'n' })),
    del(`${pods}/p`),
    del(`${pods}/p?gracePeriodSeconds=3`),
  ),
  one(
    'grace not lengthened',
    post(pods, pod('p', { nodeName: 'n' })),
    del(`${pods}/p?gracePeriodSeconds=3`),
    del(`${pods}/p?gracePeriodSeconds=60`),
  ),
  one(
    'a finished pod',
    post(pods, pod('p', { nodeName: 'n' })),
    patch('merge', `${pods}/p/status`, { status: { phase: 'Succeeded' } }),
    del(`${pods}/p`),
    get(`${pods}/p`),
  ),
  one(
    'a pod held by a finalizer',
    post(pods, pod('p', {}, held)),
    del(`${pods}/p`),
    patch('merge', `${pods}/p`, { metadata: { finalizers: null } }),
    get(`${pods}/p`),
  ),
  one(
    'a service',
    post(core('services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { clusterIP: 'None', selector: { a: 'b' } },
    }),
    del(core('services', '/s')),
  ),
  one(
    'an eviction',
    post(pods, pod('p')),
    post(`${pods}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }),
    get(`${pods}/p`),
  ),
  one(
    'a collection',
    map('a', { labels: { x: '1' } }),
    map('b', { labels: { x: '1' } }),
    map('c'),
    del(`${maps}?labelSelector=x`),
    get(`${maps}/a`),
    get(`${maps}/c`),
  ),
  one('a collection of nothing', del(`${maps}?labelSelector=x`)),
  one(
    'a namespace',
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-x' } }),
    post('/api/v1/namespaces/{ns}-x/configmaps', configMap('a')),
    del('/api/v1/namespaces/{ns}-x'),
    gone('/api/v1/namespaces/{ns}-x'),
    get('/api/v1/namespaces/{ns}-x/configmaps/a'),
  ),
  one(
    'nothing new in a namespace that goes',
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-x' } }),
    post('/api/v1/namespaces/{ns}-x/configmaps', configMap('a', { metadata: held })),
    del('/api/v1/namespaces/{ns}-x'),
    { ...post('/api/v1/namespaces/{ns}-x/configmaps', configMap('b')), until: 403 },
  ),
]
