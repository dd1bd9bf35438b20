import { area, type Case, core, del, get, patch, pod, post, quiet, type Step } from '../case.ts'

// Pages while the world moves on, and options that go with each other or do not.
const one = area('list')
const secrets = core('secrets')
const pods = core('pods')
const secret = (name: string, labels: object = {}): Step =>
  post(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels } })
const some: Step[] = ['a', 'b', 'c', 'd'].map((name, i) => secret(name, { odd: i % 2 ? 'yes' : 'no' }))
const from = (name: string, query: string): Case => one(name, ...some, get(`${secrets}?${query}`))

export const LIST_MORE: Case[] = [
  one(
    'pages of one moment',
    ...some,
    get(`${secrets}?limit=2`),
    quiet(secret('bb')),
    quiet(del(`${secrets}/d`)),
    quiet(patch('merge', `${secrets}/c`, { metadata: { annotations: { new: '1' } } })),
    get(`${secrets}?limit=2&continue={continue}`),
  ),
  one(
    'pages of a selection',
    ...some,
    secret('e', { odd: 'yes' }),
    get(`${secrets}?limit=1&labelSelector=odd%3Dyes`),
    get(`${secrets}?limit=1&labelSelector=odd%3Dyes&continue={continue}`),
    get(`${secrets}?limit=1&labelSelector=odd%3Dyes&continue={continue}`),
  ),
  one('the rest at once', ...some, get(`${secrets}?limit=1`), get(`${secrets}?continue={continue}`)),
  one('pages across namespaces', ...some, get('/api/v1/secrets?limit=1&fieldSelector=metadata.namespace%3D{ns}')),
  one(
    'a continue with a revision',
    ...some,
    get(`${secrets}?limit=1`),
    get(`${secrets}?limit=1&continue={continue}&resourceVersion=5`),
  ),
  one(
    'a continue with a match',
    ...some,
    get(`${secrets}?limit=1`),
    get(`${secrets}?limit=1&continue={continue}&resourceVersion=5&resourceVersionMatch=Exact`),
  ),
  from('a limit over all', 'limit=10'),
  from('a limit of exactly all', 'limit=4'),
  from('a limit of nought', 'limit=0'),
  from('a limit below nought', 'limit=-1'),
  from('exactly revision 0', 'resourceVersion=0&resourceVersionMatch=Exact'),
  from('not older than 0', 'resourceVersion=0&resourceVersionMatch=NotOlderThan'),
  from('a limit at revision 0', 'resourceVersion=0&limit=2'),
  from('not older than the future', 'resourceVersion=999999999999&resourceVersionMatch=NotOlderThan'),
  from('exactly in the future', 'resourceVersion=999999999999&resourceVersionMatch=Exact'),
  from('initial events of a list', 'sendInitialEvents=true'),
  from('labels and fields', 'labelSelector=odd%3Dyes&fieldSelector=metadata.name%3Db'),
  from('a timeout', 'timeoutSeconds=5'),
  one(
    'exactly as it was',
    ...some,
    quiet(del(`${secrets}/a`)),
    get(`${secrets}?resourceVersion={rv}&resourceVersionMatch=Exact`),
  ),
  one(
    'one exactly',
    secret('a'),
    get(`${secrets}/a?resourceVersion={rv}`),
    get(`${secrets}/a?resourceVersion=0`),
    get(`${secrets}/a?resourceVersion=x`),
  ),
  one(
    'pods by several fields',
    post(pods, pod('p', { nodeName: 'n', restartPolicy: 'Never' })),
    post(pods, pod('q', { nodeName: 'n' })),
    get(`${pods}?fieldSelector=spec.nodeName%3Dn,spec.restartPolicy!%3DAlways`),
    get(`${pods}?fieldSelector=status.phase%3DRunning,spec.nodeName%3Dn`),
  ),
  one(
    'services by type',
    post(core('services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { clusterIP: 'None', selector: { a: 'b' } },
    }),
    get(core('services', '?fieldSelector=spec.clusterIP%3DNone,spec.type%3DClusterIP')),
  ),
  one('namespaces by phase', get('/api/v1/namespaces?fieldSelector=metadata.name%3D{ns},status.phase%3DActive')),
  one(
    'events by what they are about',
    post(core('events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}', uid: 'u', fieldPath: 'spec.x' },
      reason: 'R',
      type: 'Warning',
      source: { component: 'c' },
    }),
    get(core('events', '?fieldSelector=involvedObject.kind%3DPod,involvedObject.uid%3Du,type%3DWarning')),
    get(core('events', '?fieldSelector=source%3Dc,type!%3DWarning')),
  ),
  one('config maps by what they have not', get(core('configmaps', '?fieldSelector=data.x%3D1'))),
  one(
    'a table of a selection',
    ...some,
    get(`${secrets}?labelSelector=odd%3Dyes&limit=1`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  ),
  one(
    'a table, or else json',
    ...some,
    get(`${secrets}/a`, { accept: 'application/json;as=Table;v=v9;g=meta.k8s.io,application/json' }),
  ),
  one(
    'metadata of a page',
    ...some,
    get(`${secrets}?limit=1`, { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }),
  ),
]
