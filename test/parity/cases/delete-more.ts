import { area, type Case, configMap, core, del, get, patch, pod, post, quiet, type Step } from '../case.ts'

// Owners of owners, collections, and options that come in several ways.
const one = area('delete')
const maps = core('configmaps')
const secrets = core('secrets')
const pods = core('pods')
const options = (more: object): object => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...more })
const gone = (path: string): Step => ({ ...get(path), until: 404 })
const map = (name: string, metadata: unknown = {}): Step => post(maps, configMap(name, { metadata }))
const secret = (name: string, metadata: object = {}): Step =>
  post(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...metadata } })
const owner = (name: string, more: object = {}): object => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: '{uid}', ...more }],
})
const WRONG = 'e6a3b1f0-0000-4000-8000-000000000000'

export const DELETE_MORE: Case[] = [
  one(
    'held in the foreground by who blocks',
    map('a'),
    quiet(secret('b', { ...owner('a', { blockOwnerDeletion: true }), finalizers: ['a.b/c'] })),
    del(`${maps}/a?propagationPolicy=Foreground`),
    get(`${maps}/a`),
    quiet(patch('merge', `${secrets}/b`, { metadata: { finalizers: null } })),
    gone(`${maps}/a`),
  ),
  one(
    'not held by who does not block',
    map('a'),
    quiet(secret('b', { ...owner('a'), finalizers: ['a.b/c'] })),
    del(`${maps}/a?propagationPolicy=Foreground`),
    gone(`${maps}/a`),
  ),
  one(
    'three generations',
    map('a'),
    secret('b', owner('a')),
    post(pods, pod('c', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 'b', uid: '{uid}' }] })),
    del(`${maps}/a`),
    gone(`${secrets}/b`),
    gone(`${pods}/c`),
  ),
  one(
    'orphaned by the old option',
    map('a'),
    quiet(secret('b', owner('a'))),
    del(`${maps}/a`, options({ orphanDependents: true })),
    gone(`${maps}/a`),
    get(`${secrets}/b`),
  ),
  one(
    'not orphaned by the old option',
    map('a'),
    quiet(secret('b', owner('a'))),
    del(`${maps}/a?orphanDependents=false`),
    gone(`${secrets}/b`),
  ),
  one(
    'one of two owners goes',
    map('a'),
    quiet(secret('b', owner('a'))),
    map('c'),
    quiet(
      patch('strategic', `${secrets}/b`, {
        metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: '{uid}' }] },
      }),
    ),
    quiet(del(`${maps}/a`)),
    gone(`${maps}/a`),
    get(`${maps}/c`),
  ),
  one(
    'both preconditions',
    map('a'),
    del(`${maps}/a`, options({ preconditions: { uid: '{uid}', resourceVersion: '{rv}' } })),
  ),
  one(
    'one of both preconditions fails',
    map('a'),
    del(`${maps}/a`, options({ preconditions: { uid: '{uid}', resourceVersion: '1' } })),
  ),
  one(
    'preconditions of what is held',
    map('a', { finalizers: ['a.b/c'] }),
    del(`${maps}/a`, options({ preconditions: { uid: WRONG } })),
    get(`${maps}/a`),
  ),
  one('dry by the body', map('a'), del(`${maps}/a`, options({ dryRun: ['All'] })), get(`${maps}/a`)),
  one('dry, held', map('a', { finalizers: ['a.b/c'] }), del(`${maps}/a?dryRun=All`), get(`${maps}/a`)),
  one('a bad dry run', map('a'), del(`${maps}/a?dryRun=Perhaps`)),
  one('options of another kind', map('a'), del(`${maps}/a`, { apiVersion: 'v1', kind: 'Pod' })),
  one('options with an unknown field', map('a'), del(`${maps}/a`, options({ foo: 1 }))),
  one(
    'grace below nought',
    post(pods, pod('p', { nodeName: 'n' })),
    del(`${pods}/p`, options({ gracePeriodSeconds: -1 })),
  ),
  one('grace that is no number', map('a'), del(`${maps}/a?gracePeriodSeconds=x`)),
  one('grace for what needs none', map('a'), del(`${maps}/a?gracePeriodSeconds=30`), get(`${maps}/a`)),
  one(
    'orphaned and held',
    map('a', { finalizers: ['a.b/c'] }),
    del(`${maps}/a?propagationPolicy=Orphan`),
    // All at once: when the collector takes its own away is its business.
    patch('merge', `${maps}/a`, { metadata: { finalizers: null } }),
    gone(`${maps}/a`),
  ),
  one(
    'from background to foreground',
    map('a', { finalizers: ['a.b/c'] }),
    del(`${maps}/a?propagationPolicy=Background`),
    del(`${maps}/a?propagationPolicy=Foreground`),
  ),
  one(
    'a collection by name',
    secret('a'),
    secret('b'),
    del(`${secrets}?fieldSelector=metadata.name%3Da`),
    get(`${secrets}/a`),
    get(`${secrets}/b`),
  ),
  one('a collection, dry', secret('a'), del(`${secrets}?dryRun=All`), get(`${secrets}/a`)),
  one(
    'a collection with one held',
    secret('a', { finalizers: ['a.b/c'] }),
    secret('b'),
    del(secrets),
    get(`${secrets}/a`),
    get(`${secrets}/b`),
  ),
  one(
    'a collection with options',
    secret('a'),
    secret('b'),
    del(secrets, options({ propagationPolicy: 'Background' })),
    get(secrets),
  ),
  one(
    'a collection of pods',
    post(pods, pod('p', {}, { labels: { x: '1' } })),
    post(pods, pod('q')),
    del(`${pods}?labelSelector=x%3D1`),
    get(`${pods}/p`),
    get(`${pods}/q`),
  ),
  one('a collection with a bad selector', del(`${secrets}?labelSelector=a+b`)),
  one('a collection across namespaces', del('/api/v1/secrets?labelSelector=never%3Dthere')),
  one(
    'an eviction of nothing',
    post(`${pods}/none/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'none' } }),
  ),
  one(
    'an eviction, dry',
    post(pods, pod('p')),
    post(`${pods}/p/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p' },
      deleteOptions: { dryRun: ['All'] },
    }),
    get(`${pods}/p`),
  ),
  one(
    'a claim',
    post(core('persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
    del(core('persistentvolumeclaims', '/c')),
    gone(core('persistentvolumeclaims', '/c')),
  ),
  one(
    'a namespace that is held',
    post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: '{ns}-x', finalizers: ['a.b/c'] },
    }),
    del('/api/v1/namespaces/{ns}-x'),
    quiet(patch('merge', '/api/v1/namespaces/{ns}-x', { metadata: { finalizers: null } })),
    gone('/api/v1/namespaces/{ns}-x'),
  ),
  one('a collection of namespaces', del('/api/v1/namespaces')),
  one(
    'a priority class',
    post('/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: '{ns}' },
      value: 1,
    }),
    del('/apis/scheduling.k8s.io/v1/priorityclasses/{ns}'),
  ),
  one(
    'a lease',
    post('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
    }),
    del('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l'),
  ),
]
