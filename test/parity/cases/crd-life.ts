import { apply, area, type Case, del, get, patch, post, put, quiet, type Step, watch, watchWhile } from '../case.ts'
import {
  type Any,
  CRDS,
  change,
  define,
  definition,
  GROUP,
  make,
  object,
  path,
  READY,
  SIMPLE,
  thing,
  version,
  withSpec,
  withStatus,
} from './custom-kind.ts'

// Definitions from their first day to their last, and what their objects see of it.
const one = area('crd')
const CRD = `${CRDS}/things.${GROUP}`
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const number = { type: 'integer' }
const other = (names: Any): Any => ({
  ...definition([version('v1', SIMPLE)]),
  metadata: { name: `${names.plural}.${GROUP}` },
  spec: { ...definition([version('v1', SIMPLE)]).spec, names },
})
const scaled = (name: string, ...steps: Step[]): Case =>
  one(
    name,
    define(
      version('v1', object({ replicas: number, text: { type: 'string' } }), {
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      }),
    ),
    READY,
    ...steps,
  )
const scale = (replicas: unknown, more: Any = {}): Any => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: '{ns}' },
  spec: { replicas },
  ...more,
})
const refused = (name: string, spec: Any, more: Any = {}): Case =>
  one(`a definition ${name}`, post(CRDS, definition([version('v1', spec, more)])))

export const CRD_LIFE: Case[] = [
  one('established', quiet(post(CRDS, definition([version('v1', SIMPLE)]))), READY, get(CRD)),
  one(
    'a definition that is there already',
    define(version('v1', SIMPLE)),
    READY,
    post(CRDS, definition([version('v1', SIMPLE)])),
  ),
  one('a definition, dry', post(`${CRDS}?dryRun=All`, definition([version('v1', SIMPLE)])), get(CRD)),
  one(
    'the same kind twice in a group',
    define(version('v1', SIMPLE)),
    READY,
    quiet(post(CRDS, other({ plural: 'others', singular: 'other', kind: 'Thing', listKind: 'ThingList' }))),
    { ...watch(`${CRDS}?watch=true&fieldSelector=metadata.name%3Dothers.${GROUP}&timeoutSeconds=2`, 9), unseen: true },
    get(`${CRDS}/others.${GROUP}`),
    get(`/apis/${GROUP}/v1/namespaces/{ns}/others`),
  ),
  one(
    'short names that are taken',
    define(version('v1', SIMPLE)),
    READY,
    quiet(
      post(
        CRDS,
        other({ plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList', shortNames: ['th', 'ot'] }),
      ),
    ),
    { ...watch(`${CRDS}?watch=true&fieldSelector=metadata.name%3Dothers.${GROUP}&timeoutSeconds=2`, 9), unseen: true },
    get(`${CRDS}/others.${GROUP}`),
  ),
  one('its scope stays', define(version('v1', SIMPLE)), READY, patch('merge', CRD, { spec: { scope: 'Cluster' } })),
  one(
    'its kind stays',
    define(version('v1', SIMPLE)),
    READY,
    patch('merge', CRD, { spec: { names: { kind: 'Other' } } }),
  ),
  one(
    'its group stays',
    define(version('v1', SIMPLE)),
    READY,
    patch('merge', CRD, { spec: { group: 'x.example.com' } }),
  ),
  one(
    'a stored version stays',
    define(version('v1', SIMPLE)),
    READY,
    patch('merge', CRD, { spec: { versions: [{ ...version('v2', SIMPLE), storage: true }] } }),
  ),
  one(
    'a new version is stored from now on',
    define(version('v1', SIMPLE)),
    READY,
    make({ text: 'x' }),
    quiet(
      patch('merge', CRD, {
        spec: {
          versions: [
            { ...version('v1', SIMPLE), storage: false },
            { ...version('v2', SIMPLE), storage: true },
          ],
        },
      }),
    ),
    { call: `GET ${path('/a', 'v2')}`, until: 200 },
    patch('merge', path('/a', 'v2'), { spec: { count: 2 } }),
    get(path('/a')),
  ),
  one(
    'a version that is not served',
    define(version('v1', SIMPLE), { ...version('v2', SIMPLE), storage: false, served: false }),
    READY,
    get(path('', 'v2')),
  ),
  one(
    'a deprecated version',
    define({ ...version('v1', SIMPLE), deprecated: true, deprecationWarning: 'v1 is old' }),
    READY,
    make({ text: 'x' }),
    get(path('/a')),
  ),
  one('a version deprecated without words', define({ ...version('v1', SIMPLE), deprecated: true }), READY, get(path())),
  one(
    'three versions in order',
    define(
      version('v1', SIMPLE),
      { ...version('v1beta1', SIMPLE), storage: false },
      { ...version('v2alpha1', SIMPLE), storage: false },
    ),
    READY,
    { ...get(`/apis/${GROUP}`), until: 200 },
  ),
  one(
    'a kind of the whole cluster',
    quiet(post(CRDS, definition([version('v1', SIMPLE)], { scope: 'Cluster' }))),
    { call: `GET /apis/${GROUP}/v1/things`, until: 200 },
    post(`/apis/${GROUP}/v1/things`, thing('a', { text: 'x' })),
    get(`/apis/${GROUP}/v1/things/a`),
    get(path('/a')),
  ),
  withSpec('nothing of that name in the group', SIMPLE, get(`/apis/${GROUP}/v1/nothings`)),
  withSpec(
    'watched',
    SIMPLE,
    make({ text: 'x' }),
    watchWhile(`${path()}?watch=true&resourceVersion={rv}`, 2, 0, change({ text: 'y' }), del(path('/a'))),
  ),
  withSpec('watched from too long ago', SIMPLE, make({}), {
    ...watch(`${path()}?watch=true&resourceVersion=1&timeoutSeconds=1`, 1),
    untilEvent: 'ERROR',
  }),
  one(
    'watched in another version',
    define(version('v1', SIMPLE), { ...version('v2', SIMPLE), storage: false }),
    READY,
    { call: `GET ${path('', 'v2')}`, until: 200 },
    make({ text: 'x' }),
    watch(`${path('', 'v2')}?watch=true`, 1),
  ),
  withSpec(
    'in a namespace that is not there',
    SIMPLE,
    post(`/apis/${GROUP}/v1/namespaces/nowhere/things`, { ...thing('a', {}), metadata: { name: 'a' } }),
  ),
  withSpec(
    'a finalizer without a domain',
    SIMPLE,
    post(path(), thing('a', {}, { metadata: { finalizers: ['hold', 'my.hold'] } })),
  ),
  withSpec(
    'selected by label',
    SIMPLE,
    post(path(), thing('a', {}, { metadata: { labels: { x: '1' } } })),
    post(path(), thing('b', {})),
    get(`${path()}?labelSelector=x`),
  ),
  withSpec(
    'selected by name',
    SIMPLE,
    make({}),
    post(path(), thing('b', {})),
    get(`${path()}?fieldSelector=metadata.name%3Db`),
    get(`${path()}?fieldSelector=spec.text%3Db`),
  ),
  one(
    'selected by its own fields',
    define({ ...version('v1', SIMPLE), selectableFields: [{ jsonPath: '.spec.text' }] }),
    READY,
    make({ text: 'x' }),
    post(path(), thing('b', { text: 'y' })),
    get(`${path()}?fieldSelector=spec.text%3Dy`),
  ),
  withSpec(
    'page by page',
    SIMPLE,
    make({}),
    post(path(), thing('b', {})),
    get(`${path()}?limit=1`),
    get(`${path()}?limit=1&continue={continue}`),
  ),
  withSpec('as a table without columns', SIMPLE, make({ text: 'x' }), get(path(), TABLE)),
  withSpec('a dry run', SIMPLE, make({ text: 'x' }, '?dryRun=All'), get(path('/a'))),
  withSpec(
    'put under another name',
    SIMPLE,
    make({}),
    put(path('/a'), thing('b', {}, { metadata: { resourceVersion: '{rv}' } })),
  ),
  withSpec(
    'put with an old revision',
    SIMPLE,
    make({}),
    change({ text: 'x' }),
    put(path('/a'), thing('a', {}, { metadata: { resourceVersion: '1' } })),
  ),
  withStatus(
    'a status put',
    SIMPLE,
    make({ text: 'x' }),
    put(
      path('/a/status'),
      thing('a', { text: 'ignored' }, { metadata: { resourceVersion: '{rv}', labels: { a: 'b' } }, status: { x: 1 } }),
    ),
    get(path('/a')),
  ),
  withStatus('status of nothing', SIMPLE, patch('merge', path('/none/status'), { status: {} })),
  withStatus('status posted to', SIMPLE, make({}), post(path('/a/status'), thing('a', {}))),
  one(
    'a status with a schema',
    define({
      ...version('v1', SIMPLE, { subresources: { status: {} } }),
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: SIMPLE, status: object({ n: number }, { required: ['n'] }) },
        },
      },
    }),
    READY,
    make({}),
    patch('merge', path('/a/status'), { status: { m: 1 } }),
    patch('merge', path('/a/status'), { status: { n: 'x' } }),
    patch('merge', path('/a/status'), { status: { n: 1, m: 2 } }),
  ),
  scaled('scale put', make({ replicas: 1 }), put(path('/a/scale'), scale(3)), get(path('/a'))),
  scaled(
    'scale put with an old revision',
    make({ replicas: 1 }),
    put(path('/a/scale'), scale(3, { metadata: { name: 'a', namespace: '{ns}', resourceVersion: '1' } })),
  ),
  scaled('scale below nought', make({ replicas: 1 }), patch('merge', path('/a/scale'), { spec: { replicas: -1 } })),
  scaled(
    'scale that was not set',
    make({ text: 'x' }),
    get(path('/a/scale')),
    patch('merge', path('/a/scale'), { spec: { replicas: 2 } }),
  ),
  scaled('scale to the same', make({ replicas: 2 }), patch('merge', path('/a/scale'), { spec: { replicas: 2 } })),
  scaled('scale applied', make({ replicas: 2 }), apply(path('/a/scale'), 'scaler', scale(4)), get(path('/a'))),
  scaled('scale of nothing', get(path('/none/scale'))),
  scaled(
    'scale as another kind',
    make({ replicas: 1 }),
    put(path('/a/scale'), { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }),
  ),
  one(
    'nothing new of a kind that goes',
    define(version('v1', SIMPLE)),
    READY,
    post(path(), thing('a', {}, { metadata: { finalizers: ['a.b/c'] } })),
    quiet(del(CRD)),
    { ...post(path(), thing('b', {})), until: 403 },
  ),
  one(
    'a kind comes back empty',
    define(version('v1', SIMPLE)),
    READY,
    make({}),
    quiet(del(CRD)),
    { ...quiet(get(CRD)), until: 404 },
    define(version('v1', SIMPLE)),
    READY,
    get(path('/a')),
  ),
  refused(
    'with properties beside additional ones',
    object({ a: object({ b: number }, { additionalProperties: number }) }),
  ),
  refused('with a list without items', object({ a: { type: 'array' } })),
  refused(
    'with a map without keys',
    object({ a: { type: 'array', items: object({ k: number }), 'x-kubernetes-list-type': 'map' } }),
  ),
  refused('with an unknown type', object({ a: { type: 'text' } })),
  refused('with a bad pattern', object({ a: { type: 'string', pattern: '(' } })),
  refused('with a column that is no path', SIMPLE, {
    additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: 'spec' }],
  }),
  refused('with a column of an unknown type', SIMPLE, {
    additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.spec' }],
  }),
  refused('with a scale without paths', SIMPLE, { subresources: { scale: {} } }),
  one('a definition with a bad group', post(CRDS, definition([version('v1', SIMPLE)], { group: 'nodots' }))),
  one(
    'a definition with bad names',
    post(CRDS, definition([version('v1', SIMPLE)], { names: { plural: 'Things', kind: 'thing_' } })),
  ),
  one('a definition with a bad version', post(CRDS, definition([version('V1', SIMPLE, { storage: true })]))),
  one(
    'a definition with one version twice',
    post(CRDS, definition([version('v1', SIMPLE), { ...version('v1', SIMPLE), storage: false }])),
  ),
  one(
    'a definition with a webhook that is not there',
    post(CRDS, definition([version('v1', SIMPLE)], { conversion: { strategy: 'Webhook' } })),
  ),
  one(
    'a definition with an unknown field',
    post(CRDS, definition([version('v1', { ...SIMPLE, foo: 1 })])),
    post(`${CRDS}?fieldValidation=Strict`, definition([version('v1', { ...SIMPLE, foo: 1 })])),
  ),
]
