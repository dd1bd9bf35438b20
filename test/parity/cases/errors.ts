import { area, type Case, configMap, core, del, get, patch, pod, post, put, type Step } from '../case.ts'

const one = area('errors')
const maps = core('configmaps')
const raw = (body: string | Buffer, type = 'application/json', query = ''): Step => ({
  call: `POST ${maps}${query}`,
  body,
  type,
})
const text = (body: unknown): string => JSON.stringify(body)
const name = (value: string): Case => one(`the name ${value.slice(0, 20)}`, post(maps, configMap(value)))

export const ERRORS: Case[] = [
  one('no such path', get('/nothing')),
  one('no such group', get('/apis/no.such.group/v1/things')),
  one('no such version', get('/api/v9/pods')),
  one('no such resource', get('/api/v1/things')),
  one('no such namespaced resource', get(core('things'))),
  one('a namespaced path for a global kind', get(core('nodes'))),
  one('no such subresource', post(maps, configMap('a')), get(`${maps}/a/status`)),
  one('no scale here', post(maps, configMap('a')), get(`${maps}/a/scale`)),
  one('no such object', get(`${maps}/none`)),
  one('no such object in a group', get('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/none')),
  one('a post to an object', post(`${maps}/a`, configMap('a'))),
  one('a put to a collection', put(maps, configMap('a'))),
  one('a patch to a collection', patch('merge', maps, {})),
  one('a post without namespace', post('/api/v1/configmaps', configMap('a'))),
  one('an empty body', raw('')),
  one('no json', raw('{')),
  one('a list', raw('[]')),
  one('a word', raw('"x"')),
  one('null', raw('null')),
  one('no kind', raw(text({ metadata: { name: 'a' } }))),
  one('no apiVersion', raw(text({ kind: 'ConfigMap', metadata: { name: 'a' } }))),
  one('another kind', raw(text({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }))),
  one('another version', raw(text({ apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }))),
  one('plain text', raw('x', 'text/plain')),
  one('yaml', raw('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n', 'application/yaml')),
  one('bad yaml', raw('a: b: c', 'application/yaml')),
  one('a number for a text', raw(text(configMap('a', { data: { k: 1 } })))),
  one('a text for an object', raw(text(configMap('a', { data: 'x' })))),
  one('a list for an object', raw(text({ ...configMap('a'), metadata: [] }))),
  one('a text for a number', post(core('pods'), pod('p', { activeDeadlineSeconds: 'x' }))),
  one('a fraction for a whole number', post(core('pods'), pod('p', { activeDeadlineSeconds: 1.5 }))),
  one('a number too big', post(core('pods'), pod('p', { priority: 99999999999 }))),
  one(
    'a bad quantity',
    post(core('pods'), pod('p', { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: 'much' } } }] })),
  ),
  one('a bad time', raw(text(configMap('a', { metadata: { creationTimestamp: 'yesterday' } })))),
  one('unknown field, default', raw(text({ ...configMap('a'), foo: 1 }))),
  one('unknown field, warn', raw(text({ ...configMap('a'), foo: 1 }), undefined, '?fieldValidation=Warn')),
  one('unknown field, ignore', raw(text({ ...configMap('a'), foo: 1 }), undefined, '?fieldValidation=Ignore')),
  one('unknown field, strict', raw(text({ ...configMap('a'), foo: 1 }), undefined, '?fieldValidation=Strict')),
  one('unknown fields deep, strict', {
    ...post(
      `${core('pods')}?fieldValidation=Strict`,
      pod('p', { foo: 1, containers: [{ name: 'c', image: 'i', bar: 2 }] }, { baz: 3 }),
    ),
  }),
  one('unknown fields deep, warn', {
    ...post(`${core('pods')}`, pod('p', { foo: 1, containers: [{ name: 'c', image: 'i', bar: 2 }] }, { baz: 3 })),
  }),
  one(
    'a key twice, strict',
    raw(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"x":"1","x":"2"}},"data":{"k":"1","k":"2"}}',
      undefined,
      '?fieldValidation=Strict',
    ),
  ),
  one(
    'a field twice, strict',
    raw(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"immutable":true,"immutable":false}',
      undefined,
      '?fieldValidation=Strict',
    ),
  ),
  one(
    'a field twice, warn',
    raw('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"immutable":true,"immutable":false}'),
  ),
  one('a bad fieldValidation', raw(text(configMap('a')), undefined, '?fieldValidation=Maybe')),
  one('a bad dryRun', raw(text(configMap('a')), undefined, '?dryRun=Some')),
  ...['UPPER', 'under_score', '-x', 'x-', 'a..b', 'a b', 'x'.repeat(254), 'ä', '.', 'a.b'].map(name),
  one('a bad label', post(maps, configMap('a', { metadata: { labels: { 'bad key': 'v' } } }))),
  one('a bad label value', post(maps, configMap('a', { metadata: { labels: { k: 'bad value!' } } }))),
  one('a label value too long', post(maps, configMap('a', { metadata: { labels: { k: 'x'.repeat(64) } } }))),
  one('a bad annotation', post(maps, configMap('a', { metadata: { annotations: { 'bad key': 'v' } } }))),
  one('annotations too long', post(maps, configMap('a', { metadata: { annotations: { k: 'x'.repeat(262145) } } }))),
  one('a manager name too long', post(`${maps}?fieldManager=${'x'.repeat(129)}`, configMap('a'))),
  one('an accept nobody serves', { ...get(maps), headers: { accept: 'text/html' } }),
  one('an accept of anything', { ...get(`${maps}/none`), headers: { accept: '*/*' } }),
  one(
    'a bad namespace name',
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'Bad_Name' } }),
  ),
  one('an access review', {
    call: 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'create', resource: 'pods', namespace: 'default' } },
    },
  }),
  one('a get of access reviews', get('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews')),
  one('a delete of a subresource', post(core('pods'), pod('p')), del(core('pods', '/p/status'))),
  one('log of a pod that is not there', get(core('pods', '/none/log'))),
]
