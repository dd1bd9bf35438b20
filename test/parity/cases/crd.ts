import { apply, area, type Case, del, get, patch, post, put, type Step } from '../case.ts'

const one = area('crd')

// biome-ignore lint/suspicious/noExplicitAny: schemas of every kind, wrong ones too
type Any = any

const GROUP = '{ns}.example.com'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const path = (rest = '', version = 'v1'): string => `/apis/${GROUP}/${version}/namespaces/{ns}/things${rest}`
const READY: Step = { call: `GET ${path()}`, until: 200 }

const version = (name: string, spec: Any, more: Any = {}): Any => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  },
  ...more,
})
const definition = (versions: Any[], more: Any = {}): Any => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList', shortNames: ['th'] },
    versions,
    ...more,
  },
})
const define = (...versions: Any[]): Step => ({ ...post(CRDS, definition(versions)), unseen: true })
const thing = (name: string, spec: Any, more: Any = {}): Any => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Thing',
  metadata: { name, ...more.metadata },
  spec,
  ...(more.status ? { status: more.status } : {}),
})
const object = (properties: Any, more: Any = {}): Any => ({ type: 'object', properties, ...more })
const withSpec = (name: string, spec: Any, ...steps: Step[]): Case =>
  one(name, define(version('v1', spec)), READY, ...steps)
const withStatus = (name: string, spec: Any, ...steps: Step[]): Case =>
  one(name, define(version('v1', spec, { subresources: { status: {} } })), READY, ...steps)
const make = (spec: Any, query = ''): Step => post(path(query), thing('a', spec))
const change = (spec: Any): Step => patch('merge', path('/a'), { spec })

const SIMPLE = object({
  text: { type: 'string' },
  count: { type: 'integer' },
  flag: { type: 'boolean' },
  ratio: { type: 'number' },
  list: { type: 'array', items: { type: 'string' } },
})
const rule = (rule: string, message?: string, more: Any = {}): Any => ({
  rule,
  ...(message ? { message } : {}),
  ...more,
})
const VALIDATED = (...rules: Any[]): Any =>
  object(
    { min: { type: 'integer' }, max: { type: 'integer' }, name: { type: 'string' } },
    { 'x-kubernetes-validations': rules },
  )

export const CRD: Case[] = [
  withSpec('an object', SIMPLE, make({ text: 'x', count: 1, flag: true, ratio: 0.5, list: ['a'] }), get(path('/a'))),
  withSpec('listed with its kind', SIMPLE, make({ text: 'x' }), get(path())),
  withSpec('unknown fields are dropped', SIMPLE, make({ text: 'x', other: 1 })),
  withSpec('unknown fields, strictly', SIMPLE, make({ text: 'x', other: 1 }, '?fieldValidation=Strict')),
  withSpec('unknown fields, ignored', SIMPLE, make({ text: 'x', other: 1 }, '?fieldValidation=Ignore')),
  withSpec('unknown fields of metadata', SIMPLE, post(path(), thing('a', {}, { metadata: { foo: 1 } }))),
  withSpec('an unknown root field', SIMPLE, post(path(), { ...thing('a', {}), foo: 1 })),
  withSpec('wrong types', SIMPLE, make({ count: 'x' })),
  withSpec('a null that is not allowed', SIMPLE, make({ text: null })),
  withSpec('no kind', SIMPLE, post(path(), { metadata: { name: 'a' } })),
  withSpec('another version', SIMPLE, post(path(), { ...thing('a', {}), apiVersion: `${GROUP}/v2` })),
  withSpec(
    'defaults',
    object({
      a: { type: 'string', default: 'x' },
      b: object({ c: { type: 'integer', default: 5 } }, { default: {} }),
      d: { type: 'array', items: object({ e: { type: 'string', default: 'y' } }) },
    }),
    make({ d: [{}, { e: 'z' }] }),
  ),
  withSpec('defaults are not forced', object({ a: { type: 'string', default: 'x' } }), make({ a: '' })),
  withSpec(
    'required',
    object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a', 'b'] }),
    make({ a: 'x' }),
  ),
  withSpec('an enum', object({ a: { type: 'string', enum: ['x', 'y'] } }), make({ a: 'z' })),
  withSpec('a pattern', object({ a: { type: 'string', pattern: '^[a-z]+$' } }), make({ a: 'A1' })),
  withSpec('lengths', object({ a: { type: 'string', minLength: 2 } }), make({ a: 'x' })),
  withSpec(
    'bounds',
    object({
      a: { type: 'integer', minimum: 2 },
      b: { type: 'integer', maximum: 2 },
      c: { type: 'integer', minimum: 0, exclusiveMinimum: true },
    }),
    make({ a: 1, b: 3, c: 0 }),
  ),
  withSpec(
    'sizes',
    object({
      a: { type: 'array', items: { type: 'string' }, minItems: 1 },
      b: { type: 'array', items: { type: 'string' }, maxItems: 1 },
    }),
    make({ a: [], b: ['x', 'y'] }),
  ),
  withSpec(
    'an int or string',
    object({ a: { 'x-kubernetes-int-or-string': true } }),
    make({ a: 5 }),
    change({ a: '5%' }),
    change({ a: true }),
  ),
  withSpec(
    'unknown fields preserved',
    object({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }),
    make({ a: { b: { c: 1 } } }),
  ),
  withSpec(
    'a map',
    object({ a: { type: 'object', additionalProperties: { type: 'integer' } } }),
    make({ a: { x: 1, y: 2 } }),
    change({ a: { z: 'no' } }),
  ),
  withSpec(
    'a set with a duplicate',
    object({ a: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' } }),
    make({ a: ['x', 'x'] }),
  ),
  withSpec(
    'a list map with a duplicate',
    object({
      a: {
        type: 'array',
        items: object({ name: { type: 'string' } }, { required: ['name'] }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    }),
    make({ a: [{ name: 'x' }, { name: 'x' }] }),
  ),
  withSpec('any of', object({ a: { type: 'integer', anyOf: [{ minimum: 10 }, { maximum: 2 }] } }), make({ a: 5 })),
  withSpec('nullable', object({ a: { type: 'string', nullable: true } }), make({ a: null })),
  withSpec('a rule holds', VALIDATED(rule('self.min <= self.max', 'min over max')), make({ min: 1, max: 2 })),
  withSpec('a rule is broken', VALIDATED(rule('self.min <= self.max', 'min over max')), make({ min: 3, max: 2 })),
  withSpec('a rule without message', VALIDATED(rule('self.min <= self.max')), make({ min: 3, max: 2 })),
  withSpec(
    'a rule with a field',
    VALIDATED(rule('self.min <= self.max', 'm', { fieldPath: '.min', reason: 'FieldValueForbidden' })),
    make({ min: 3, max: 2 }),
  ),
  withSpec(
    'has()',
    VALIDATED(rule('!has(self.name) || self.name.startsWith("x")', 'must start with x')),
    make({ name: 'y' }),
    make({}),
  ),
  withSpec(
    'an immutable field',
    object({ a: { type: 'string', 'x-kubernetes-validations': [rule('self == oldSelf', 'is immutable')] } }),
    make({ a: 'x' }),
    change({ a: 'y' }),
  ),
  withSpec(
    'only growing',
    object({ a: { type: 'integer', 'x-kubernetes-validations': [rule('self >= oldSelf', 'may not shrink')] } }),
    make({ a: 2 }),
    change({ a: 3 }),
    change({ a: 1 }),
  ),
  withSpec(
    'two broken rules',
    VALIDATED(rule('self.min > 0', 'one'), rule('self.max > 0', 'two')),
    make({ min: 0, max: 0 }),
  ),
  withSpec(
    'a rule and a wrong type',
    VALIDATED(rule('self.min <= self.max', 'min over max')),
    make({ min: 'x', max: 2 }),
  ),
  withSpec(
    'all over a list',
    object({
      a: {
        type: 'array',
        maxItems: 9,
        items: { type: 'integer' },
        'x-kubernetes-validations': [rule('self.all(x, x > 0)', 'all positive')],
      },
    }),
    make({ a: [1, -1] }),
  ),
  withSpec(
    'what was wrong before may stay',
    object({ a: { type: 'string' }, b: { type: 'string' } }),
    make({ a: 'x' }),
    {
      ...patch(
        'merge',
        `${CRDS}/things.${GROUP}`,
        definition([version('v1', object({ a: { type: 'string', maxLength: 0 }, b: { type: 'string' } }))]),
      ),
      unseen: true,
    },
    change({ b: 'ok' }),
  ),
  withSpec('a replace needs a revision', SIMPLE, make({ text: 'x' }), put(path('/a'), thing('a', { text: 'y' }))),
  withSpec(
    'a replace with one',
    SIMPLE,
    make({ text: 'x' }),
    put(path('/a'), thing('a', { text: 'y' }, { metadata: { resourceVersion: '{rv}' } })),
  ),
  withSpec('no strategic patches', SIMPLE, make({ text: 'x' }), patch('strategic', path('/a'), { spec: {} })),
  withSpec(
    'json patch',
    SIMPLE,
    make({ text: 'x' }),
    patch('json', path('/a'), [{ op: 'add', path: '/spec/count', value: 3 }]),
  ),
  withSpec('no status subresource', SIMPLE, make({}), get(path('/a/status'))),
  withSpec(
    'status with the object',
    SIMPLE,
    post(path(), thing('a', {}, { status: { x: 1 } })),
    patch('merge', path('/a'), { status: { x: 2 } }),
  ),
  withStatus('status is dropped on creation', SIMPLE, post(path(), thing('a', { text: 'x' }, { status: { x: 1 } }))),
  withStatus(
    'status by its subresource',
    SIMPLE,
    make({ text: 'x' }),
    patch('merge', path('/a/status'), {
      spec: { text: 'ignored' },
      metadata: { labels: { also: 'ignored' } },
      status: { x: 1 },
    }),
    get(path('/a')),
  ),
  withStatus(
    'status by the main way',
    SIMPLE,
    make({ text: 'x' }),
    patch('merge', path('/a'), { status: { x: 1 }, spec: { text: 'y' } }),
  ),
  withStatus(
    'generations',
    SIMPLE,
    make({ text: 'x' }),
    change({ text: 'y' }),
    patch('merge', path('/a/status'), { status: { x: 1 } }),
    patch('merge', path('/a'), { metadata: { labels: { a: 'b' } } }),
  ),
  withStatus(
    'applied by two',
    SIMPLE,
    apply(path('/a'), 'one', thing('a', { text: 'x' })),
    apply(path('/a'), 'two', thing('a', { count: 2 })),
    apply(path('/a'), 'two', thing('a', { text: 'y' })),
    apply(path('/a'), 'two', thing('a', { text: 'y' }), '&force=true'),
  ),
  withStatus(
    'applied status',
    SIMPLE,
    make({ text: 'x' }),
    apply(path('/a/status'), 'one', {
      apiVersion: `${GROUP}/v1`,
      kind: 'Thing',
      metadata: { name: 'a' },
      status: { x: 1 },
    }),
  ),
  withStatus(
    'a finalizer',
    SIMPLE,
    post(path(), thing('a', {}, { metadata: { finalizers: ['a.b/c'] } })),
    del(path('/a')),
    patch('merge', path('/a'), { metadata: { finalizers: null } }),
    get(path('/a')),
  ),
  one(
    'scale',
    define(
      version('v1', object({ replicas: { type: 'integer' } }), {
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
      }),
    ),
    READY,
    make({ replicas: 2 }),
    patch('merge', path('/a/status'), { status: { replicas: 1, selector: 'a=b' } }),
    get(path('/a/scale')),
    patch('merge', path('/a/scale'), { spec: { replicas: 5 } }),
    get(path('/a')),
  ),
  one(
    'columns',
    define(
      version('v1', SIMPLE, {
        additionalPrinterColumns: [
          { name: 'Text', type: 'string', jsonPath: '.spec.text' },
          { name: 'Count', type: 'integer', jsonPath: '.spec.count', priority: 1 },
          { name: 'Born', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      }),
    ),
    READY,
    make({ text: 'x' }),
    get(path(), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  ),
  one(
    'two versions',
    define(version('v1', SIMPLE), { ...version('v2', SIMPLE), storage: false }),
    READY,
    make({ text: 'x' }),
    { call: `GET ${path('/a', 'v2')}`, until: 200 },
    { ...get(path('', 'v2')) },
  ),
  one('a definition', post(CRDS, definition([version('v1', SIMPLE)])), del(`${CRDS}/things.${GROUP}`), {
    ...get(`${CRDS}/things.${GROUP}`),
    until: 404,
  }),
  one(
    'a definition of the wrong name',
    post(CRDS, { ...definition([version('v1', SIMPLE)]), metadata: { name: 'other' } }),
  ),
  one('a definition without schema', post(CRDS, definition([{ name: 'v1', served: true, storage: true }]))),
  one('a definition without storage', post(CRDS, definition([{ ...version('v1', SIMPLE), storage: false }]))),
  one(
    'a definition with two storages',
    post(CRDS, definition([version('v1', SIMPLE), { ...version('v2', SIMPLE), storage: true }])),
  ),
  one('a definition that is not structural', post(CRDS, definition([version('v1', object({ a: {} }))]))),
  one('a definition with a bad scope', post(CRDS, definition([version('v1', SIMPLE)], { scope: 'Somewhere' }))),
  one('a definition with a bad rule', post(CRDS, definition([version('v1', VALIDATED(rule('self.min <=')))]))),
  one(
    'a definition with a bad default',
    post(CRDS, definition([version('v1', object({ a: { type: 'string', default: 5 } }))])),
  ),
  one(
    'instances go with their definition',
    define(version('v1', SIMPLE)),
    READY,
    make({}),
    { ...del(`${CRDS}/things.${GROUP}`), unseen: true },
    { ...get(`${CRDS}/things.${GROUP}`), until: 404 },
  ),
  one(
    'discovery',
    define(version('v1', SIMPLE, { subresources: { status: {} } })),
    READY,
    { ...get(`/apis/${GROUP}/v1`), until: 200 },
    get(`/apis/${GROUP}`),
  ),
]
