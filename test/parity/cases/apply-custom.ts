import { apply, area, type Case, configMap, core, del, get, patch, pod, post, put, type Step } from '../case.ts'
import { type Any, define, GROUP, object, path, READY, thing, version } from './custom-kind.ts'

// Server-side apply where the schema says what belongs together, and against the grain.
const one = area('apply')
const maps = core('configmaps')
const pods = core('pods')
const text = { type: 'string' }
const number = { type: 'integer' }
const SHAPES = object({
  plain: { type: 'array', items: text },
  atomic: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' },
  set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  byName: {
    type: 'array',
    items: object({ name: text, value: text, more: object({ a: number, b: number }) }, { required: ['name'] }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  byTwo: {
    type: 'array',
    items: object({ port: number, protocol: { ...text, default: 'TCP' }, note: text }, { required: ['port'] }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
  },
  whole: object({ a: number, b: number }, { 'x-kubernetes-map-type': 'atomic' }),
  nested: object({ a: number, b: object({ c: number, d: number }) }),
  free: { type: 'object', additionalProperties: text },
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  withDefault: { ...text, default: 'x' },
})
const shaped = (name: string, ...steps: Step[]): Case =>
  one(
    name,
    define(version('v1', SHAPES, { subresources: { status: {} } })),
    READY,
    ...steps.map((step) => step),
    get(path('/a')),
  )
const as = (manager: string, spec: Any, more = ''): Step => apply(path('/a'), manager, thing('a', spec), more)
const map = (data: Any, metadata: Any = {}): Any => configMap('a', { data, metadata })

export const APPLY_CUSTOM: Case[] = [
  shaped(
    'lists that are one value',
    as('one', { atomic: ['a', 'b'] }),
    as('two', { atomic: ['a', 'c'] }),
    as('two', { atomic: ['a', 'c'] }, '&force=true'),
  ),
  shaped('lists nobody has described', as('one', { plain: ['a'] }), as('two', { plain: ['b'] })),
  shaped(
    'sets grow and shrink',
    as('one', { set: ['a', 'b'] }),
    as('two', { set: ['b', 'c'] }),
    as('one', { set: ['a'] }),
    as('two', { set: [] }),
  ),
  shaped(
    'items by name',
    as('one', { byName: [{ name: 'x', value: '1' }] }),
    as('two', { byName: [{ name: 'y', value: '2' }] }),
    as('one', { byName: [] }),
  ),
  shaped(
    'fields of one item',
    as('one', { byName: [{ name: 'x', value: '1' }] }),
    as('two', { byName: [{ name: 'x', more: { a: 1 } }] }),
    as('one', { byName: [{ name: 'x' }] }),
  ),
  shaped(
    'a conflict in an item',
    as('one', { byName: [{ name: 'x', value: '1', more: { a: 1 } }] }),
    as('two', { byName: [{ name: 'x', value: '2', more: { a: 2 } }] }),
  ),
  shaped('an item without its key', as('one', { byName: [{ value: '1' }] })),
  shaped(
    'the same item twice',
    as('one', {
      byName: [
        { name: 'x', value: '1' },
        { name: 'x', value: '2' },
      ],
    }),
  ),
  shaped(
    'items by two keys, one of them by default',
    as('one', { byTwo: [{ port: 1 }] }),
    as('two', { byTwo: [{ port: 1, protocol: 'UDP' }] }),
    as('two', { byTwo: [{ port: 1, protocol: 'TCP', note: 'n' }] }),
  ),
  shaped(
    'a map that is one value',
    as('one', { whole: { a: 1 } }),
    as('two', { whole: { b: 2 } }),
    as('two', { whole: { b: 2 } }, '&force=true'),
  ),
  shaped(
    'a map of anything',
    as('one', { free: { a: '1' } }),
    as('two', { free: { b: '2' } }),
    as('one', { free: {} }),
  ),
  shaped(
    'what the schema leaves open',
    as('one', { open: { a: { b: 1 }, l: [1] } }),
    as('two', { open: { a: { c: 2 } } }),
    as('two', { open: { a: { b: 2 } } }),
  ),
  shaped(
    'deep fields',
    as('one', { nested: { a: 1, b: { c: 1, d: 2 } } }),
    as('two', { nested: { b: { d: 2 } } }),
    as('one', { nested: { b: { c: 1 } } }),
  ),
  shaped(
    'what a default fills in',
    as('one', { nested: { a: 1 } }),
    as('two', { withDefault: 'x' }),
    as('three', { withDefault: 'y' }),
  ),
  shaped('a field that is not there', as('one', { foo: 1 }), as('one', { foo: 1 }, '&fieldValidation=Strict')),
  shaped('a value of the wrong type', as('one', { nested: { a: 'x' } })),
  shaped(
    'a merge patch in between',
    as('one', { byName: [{ name: 'x', value: '1' }] }),
    patch('merge', `${path('/a')}?fieldManager=m`, { spec: { byName: [{ name: 'x', value: '2' }] } }),
    as('one', { byName: [{ name: 'x', value: '1' }] }),
  ),
  shaped(
    'status and spec apart',
    as('one', { nested: { a: 1 } }),
    apply(path('/a/status'), 'one', {
      apiVersion: `${GROUP}/v1`,
      kind: 'Thing',
      metadata: { name: 'a' },
      status: { x: 1 },
    }),
    apply(path('/a/status'), 'two', {
      apiVersion: `${GROUP}/v1`,
      kind: 'Thing',
      metadata: { name: 'a' },
      status: { x: 2 },
    }),
    as('one', {}),
  ),
  shaped('another version in the body', apply(path('/a'), 'one', { ...thing('a', {}), apiVersion: `${GROUP}/v2` })),
  shaped(
    'a status of nothing',
    apply(path('/a/status'), 'one', {
      apiVersion: `${GROUP}/v1`,
      kind: 'Thing',
      metadata: { name: 'a' },
      status: { x: 1 },
    }),
  ),
  one('a dry run of something new', apply(`${maps}/a`, 'one', map({ a: '1' }), '&dryRun=All'), get(`${maps}/a`)),
  one(
    'force by a merge patch',
    post(maps, map({ a: '1' })),
    patch('merge', `${maps}/a?force=true`, { data: { a: '2' } }),
  ),
  one('a manager with a line break', patch('apply', `${maps}/a?fieldManager=a%0Ab`, map({}))),
  one('a manager too long', patch('apply', `${maps}/a?fieldManager=${'x'.repeat(129)}`, map({}))),
  one(
    'a uid of something else',
    apply(`${maps}/a`, 'one', map({ a: '1' }, { uid: 'e6a3b1f0-0000-4000-8000-000000000000' })),
    post(maps, map({})),
    apply(`${maps}/a`, 'one', map({ a: '1' }, { uid: 'e6a3b1f0-0000-4000-8000-000000000000' })),
  ),
  one(
    'the right revision',
    post(maps, map({})),
    apply(`${maps}/a`, 'one', map({ a: '1' }, { resourceVersion: '{rv}' })),
  ),
  one(
    'onto what is being deleted',
    post(maps, map({}, { finalizers: ['a.b/c'] })),
    del(`${maps}/a`),
    apply(`${maps}/a`, 'one', map({ a: '1' })),
  ),
  one('no kind', patch('apply', `${maps}/a?fieldManager=one`, { metadata: { name: 'a' } })),
  one('a list', patch('apply', `${maps}/a?fieldManager=one`, [])),
  one('no name in the body', apply(`${maps}/a`, 'one', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } })),
  one('another namespace', apply(`${maps}/a`, 'one', map({}, { namespace: 'other' }))),
  one('a namespace that is not there', apply('/api/v1/namespaces/nowhere/configmaps/a', 'one', map({}))),
  one(
    'a label by two',
    apply(`${maps}/a`, 'one', map({}, { labels: { a: '1' } })),
    apply(`${maps}/a`, 'two', map({}, { labels: { a: '1', b: '2' } })),
    apply(`${maps}/a`, 'one', map({}, { labels: { a: '2' } })),
    apply(`${maps}/a`, 'one', map({})),
  ),
  one(
    'replaced by who applied',
    apply(`${maps}/a`, 'one', map({ a: '1' })),
    put(`${maps}/a?fieldManager=one`, map({ a: '2' })),
    apply(`${maps}/a`, 'one', map({ a: '3' })),
  ),
  one(
    'env by name',
    apply(`${pods}/p`, 'one', pod('p', { containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: '1' }] }] })),
    get(`${pods}/p`),
  ),
  one(
    'an env twice',
    apply(
      `${pods}/p`,
      'one',
      pod('p', {
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
        ],
      }),
    ),
  ),
  one('duplicate keys in json', {
    ...apply(`${maps}/a`, 'one', {}),
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"2"}}',
  }),
]
