import { area, type Case, core, get, pod, post, type Step } from '../case.ts'

const one = area('list')
const secrets = core('secrets')
const secret = (name: string, labels: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels },
})
const pods = core('pods')
const some: Step[] = ['a', 'b', 'c', 'd', 'e'].map((name, i) =>
  post(secrets, secret(name, { n: String(i), odd: i % 2 ? 'yes' : 'no', ...(i === 0 ? { first: '' } : {}) })),
)
const from = (name: string, query: string): Case => one(name, ...some, get(`${secrets}?${query}`))
const label = (selector: string): Case => from(`labels ${selector}`, `labelSelector=${encodeURIComponent(selector)}`)
const podsOf: Step[] = [
  post(pods, pod('p', { nodeName: 'n1' }, { labels: { a: 'b' } })),
  post(pods, pod('q', { restartPolicy: 'Never' })),
]
const field = (selector: string): Case =>
  one(`fields ${selector}`, ...podsOf, get(`${pods}?fieldSelector=${encodeURIComponent(selector)}`))
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const META = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }
const ONE_META = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }

export const LIST: Case[] = [
  from('all', ''),
  one('none', get(pods)),
  ...[
    'n=1',
    'n==1',
    'n!=1',
    'n in (1,2)',
    'n notin (1,2)',
    'first',
    '!first',
    'first=',
    'odd=yes,n=3',
    'n>2',
    'n<2',
    'odd in (yes),n>1',
    ' n = 1 ',
    'n=1,n=2',
    'odd=yes,',
  ].map(label),
  ...['n=1=2', 'n in 1', 'a b', '(', 'n in (1', '=x', 'n>x', 'UPPER_case/bad key=1', `n=${'x'.repeat(64)}`].map(label),
  ...[
    'metadata.name=p',
    'metadata.name!=p',
    'spec.nodeName=n1',
    'spec.nodeName=',
    'status.phase=Pending',
    'status.phase!=Pending',
    'spec.restartPolicy=Never',
    'metadata.namespace={ns}',
    'metadata.name=p,spec.nodeName=n1',
  ].map(field),
  ...['spec.foo=1', 'metadata.labels.a=b', 'nothing'].map(field),
  from('the first two', 'limit=2'),
  one(
    'page by page',
    ...some,
    get(`${secrets}?limit=2`),
    get(`${secrets}?limit=2&continue={continue}`),
    get(`${secrets}?limit=2&continue={continue}`),
  ),
  from('a limit with a selector', 'limit=1&labelSelector=odd%3Dyes'),
  from('a bad continue', 'continue=abc'),
  from('a bad limit', 'limit=x'),
  from('revision 0', 'resourceVersion=0'),
  from('a bad revision', 'resourceVersion=x'),
  from('exactly the newest', 'resourceVersion={rv}&resourceVersionMatch=Exact'),
  from('not older', 'resourceVersion={rv}&resourceVersionMatch=NotOlderThan'),
  from('a match without a revision', 'resourceVersionMatch=Exact'),
  from('a bad match', 'resourceVersion=1&resourceVersionMatch=Sometimes'),
  one('as a table', ...podsOf, get(pods, TABLE)),
  one('one as a table', ...podsOf, get(`${pods}/p`, TABLE)),
  one('a table with objects', ...podsOf, get(`${pods}?includeObject=Object`, TABLE)),
  one('a table without', ...podsOf, get(`${pods}?includeObject=None`, TABLE)),
  one('secrets as a table', ...some, get(secrets, TABLE)),
  one('metadata alone', ...podsOf, get(pods, META)),
  one('metadata of one', ...podsOf, get(`${pods}/p`, ONE_META)),
  one('across namespaces', ...podsOf, get('/api/v1/pods?fieldSelector=metadata.namespace%3D{ns}')),
  one(
    'events of an object',
    post(core('events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
      reason: 'R',
      type: 'Normal',
    }),
    get(core('events', '?fieldSelector=involvedObject.name%3Dp,reason%3DR')),
    get(core('events', '?fieldSelector=involvedObject.name%3Dq')),
  ),
  one(
    'secrets by type',
    post(core('secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }),
    get(core('secrets', '?fieldSelector=type%3DOpaque')),
  ),
]
