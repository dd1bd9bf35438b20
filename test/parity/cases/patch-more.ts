import { area, type Case, configMap, core, get, patch, pod, post, type Step } from '../case.ts'

// Patches that cannot be read, strictness, dry runs, and places where lists have no keys.
const one = area('patch')
const maps = core('configmaps')
const pods = core('pods')
const start = configMap('a', { data: { a: '1' }, metadata: { labels: { x: 'y' } } })
const JSON_PATCH = 'application/json-patch+json'
const onMap = (name: string, ...steps: Step[]): Case => one(name, post(maps, start), ...steps)
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { clusterIP: 'None', selector: { a: 'b' }, ports: [{ name: 'a', port: 1 }] },
}

export const PATCH_MORE: Case[] = [
  onMap('json that is none', { ...patch('json', `${maps}/a`, ''), body: '[{' }),
  onMap('a merge that is none', { ...patch('merge', `${maps}/a`, ''), body: '{"a":' }),
  onMap('a strategic one that is none', { ...patch('strategic', `${maps}/a`, ''), body: '{' }),
  onMap('an empty merge', { ...patch('merge', `${maps}/a`, ''), body: '' }),
  onMap('a merge of null', { ...patch('merge', `${maps}/a`, ''), body: 'null' }),
  onMap('json of null', { ...patch('json', `${maps}/a`, ''), body: 'null' }),
  onMap('an operation without a path', patch('json', `${maps}/a`, [{ op: 'add', value: '1' }])),
  onMap('an operation without a value', patch('json', `${maps}/a`, [{ op: 'add', path: '/data/b' }])),
  onMap('a move from nowhere', patch('json', `${maps}/a`, [{ op: 'move', from: '/data/none', path: '/data/b' }])),
  onMap('a test of nothing', patch('json', `${maps}/a`, [{ op: 'test', path: '/data/none', value: '1' }])),
  onMap('a path into a text', patch('json', `${maps}/a`, [{ op: 'add', path: '/data/a/b', value: '1' }])),
  onMap('a path without a slash', patch('json', `${maps}/a`, [{ op: 'add', path: 'data/b', value: '1' }])),
  onMap('the whole', patch('json', `${maps}/a`, [{ op: 'replace', path: '', value: {} }])),
  onMap(
    'the revision tested',
    patch('json', `${maps}/a`, [
      { op: 'test', path: '/metadata/resourceVersion', value: '{rv}' },
      { op: 'replace', path: '/data/a', value: '2' },
    ]),
  ),
  onMap(
    'too many operations',
    patch(
      'json',
      `${maps}/a`,
      Array.from({ length: 10001 }, () => ({ op: 'test', path: '/data/a', value: '1' })),
    ),
  ),
  onMap('a merge, dry', patch('merge', `${maps}/a?dryRun=All`, { data: { a: '2' } }), get(`${maps}/a`)),
  onMap('json, dry', patch('json', `${maps}/a?dryRun=All`, [{ op: 'remove', path: '/data/a' }]), get(`${maps}/a`)),
  onMap('a strategic one, dry', patch('strategic', `${maps}/a?dryRun=All`, { data: null }), get(`${maps}/a`)),
  onMap('a merge, strictly', patch('merge', `${maps}/a?fieldValidation=Strict`, { foo: 1, data: { b: '2' } })),
  onMap('json, strictly', patch('json', `${maps}/a?fieldValidation=Strict`, [{ op: 'add', path: '/foo', value: 1 }])),
  onMap('a strategic one, strictly', patch('strategic', `${maps}/a?fieldValidation=Strict`, { foo: 1 })),
  onMap('a merge with a key twice', { ...patch('merge', `${maps}/a`, ''), body: '{"data":{"b":"1","b":"2"}}' }),
  onMap('a merge with a key twice, strictly', {
    ...patch('merge', `${maps}/a?fieldValidation=Strict`, ''),
    body: '{"data":{"b":"1","b":"2"}}',
  }),
  onMap(
    'an operation with an unknown field, strictly',
    patch('json', `${maps}/a?fieldValidation=Strict`, [{ op: 'add', path: '/data/b', value: '1', foo: 1 }]),
  ),
  onMap('a number by a strategic one', patch('strategic', `${maps}/a`, { data: { b: 1 } })),
  onMap('an object by a strategic one', patch('strategic', `${maps}/a`, { data: { b: { c: '1' } } })),
  onMap('a text for an object by a strategic one', patch('strategic', `${maps}/a`, { data: 'x' })),
  onMap('the namespace', patch('merge', `${maps}/a`, { metadata: { namespace: 'other' } })),
  onMap('the name by a merge', patch('merge', `${maps}/a`, { metadata: { name: 'b' } })),
  onMap('the version', patch('merge', `${maps}/a`, { apiVersion: 'v2' })),
  onMap('a bad label', patch('merge', `${maps}/a`, { metadata: { labels: { 'a b': '1' } } })),
  onMap(
    'two writers',
    patch('merge', `${maps}/a?fieldManager=one`, { data: { b: '1' } }),
    patch('merge', `${maps}/a?fieldManager=two`, { data: { b: '2', c: '3' } }),
  ),
  onMap('no content type', { ...patch('merge', `${maps}/a`, { data: {} }), headers: { 'content-type': '' } }),
  onMap('yaml', { ...patch('application/yaml', `${maps}/a`, ''), body: 'data: {}\n' }),
  onMap('as a table', {
    ...patch('merge', `${maps}/a`, { data: { b: '2' } }),
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  }),
  one(
    'an item added to a list by index',
    post(pods, pod('p', { tolerations: [{ key: 'a', operator: 'Exists' }] })),
    patch('json', `${pods}/p?dryRun=All`, [
      { op: 'add', path: '/spec/tolerations/0', value: { key: 'b', operator: 'Exists' } },
    ]),
  ),
  one(
    'an item behind the last',
    post(pods, pod('p')),
    patch('json', `${pods}/p?dryRun=All`, [{ op: 'add', path: '/spec/containers/5', value: {} }]),
  ),
  one(
    'labels of a pod',
    post(pods, pod('p', {}, { labels: { a: '1', b: '2' } })),
    patch('strategic', `${pods}/p`, { metadata: { labels: { a: null, c: '3' }, annotations: { d: '4' } } }),
  ),
  one(
    'status of a pod by json',
    post(pods, pod('p')),
    patch('json', `${pods}/p/status`, [{ op: 'add', path: '/status/message', value: 'm' }]),
  ),
  one('spec by the status', post(pods, pod('p')), patch('merge', `${pods}/p/status`, { spec: { nodeName: 'n' } })),
  one(
    'ports of a service replaced',
    post(core('services'), service),
    patch('merge', core('services', '/s'), { spec: { ports: [{ name: 'b', port: 2 }] } }),
  ),
  one(
    'a finalizer added',
    post(maps, start),
    patch('json', `${maps}/a`, [{ op: 'add', path: '/metadata/finalizers', value: ['a.b/c'] }]),
    patch('strategic', `${maps}/a`, { metadata: { finalizers: ['d.e/f'] } }),
  ),
  one(
    'a type with a charset',
    post(maps, start),
    patch(`${JSON_PATCH}; charset=utf-8`, `${maps}/a`, [{ op: 'add', path: '/data/b', value: '1' }]),
  ),
]
