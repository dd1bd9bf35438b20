import {
  apply,
  area,
  type Case,
  core,
  del,
  get,
  patch,
  pod,
  post,
  put,
  quiet,
  type Step,
  watch,
  watchWhile,
} from '../case.ts'

// Watches that are open while things happen, that go on where another has ended, and that come too late.
const one = area('watch')
const secrets = core('secrets')
const pods = core('pods')
const secret = (name: string, labels = {}): Step =>
  post(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels } })
const annotate = (path: string, value: string): Step =>
  patch('merge', path, { metadata: { annotations: { a: value } } })
const INITIAL = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'

export const WATCH_LIVE: Case[] = [
  one(
    'what happens meanwhile',
    secret('a'),
    watchWhile(
      `${secrets}?watch=true&resourceVersion={rv}`,
      3,
      0,
      secret('b'),
      annotate(`${secrets}/b`, '1'),
      del(`${secrets}/b`),
    ),
  ),
  one(
    'initial events, a bookmark, then what happens',
    secret('a', { x: '1' }),
    secret('b', { x: '2' }),
    watchWhile(`${secrets}?${INITIAL}&labelSelector=x`, 5, 3, annotate(`${secrets}/a`, '1'), del(`${secrets}/b`)),
  ),
  one(
    'initial events without bookmarks',
    secret('a'),
    watchWhile(
      `${secrets}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name%3Da`,
      2,
      1,
      annotate(`${secrets}/a`, '1'),
    ),
  ),
  one(
    'initial events from a revision on',
    secret('a'),
    quiet(secret('b')),
    watch(`${secrets}?${INITIAL}&resourceVersion={rv}`, 3),
  ),
  one('initial events by revision 0', secret('a'), watch(`${secrets}?${INITIAL}&resourceVersion=0`, 2)),
  one(
    'initial events exactly',
    watch(`${secrets}?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1`, 1),
  ),
  one(
    'no initial events',
    secret('a'),
    watchWhile(`${secrets}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`, 1, 0, secret('b')),
  ),
  one('no initial events, no match', watch(`${secrets}?watch=true&sendInitialEvents=false`, 1)),
  one('initial events that are neither', watch(`${secrets}?watch=true&sendInitialEvents=perhaps`, 1)),
  one(
    'gone on from the last event',
    secret('a'),
    watchWhile(`${secrets}?watch=true&resourceVersion={rv}`, 1, 0, secret('b')),
    quiet(secret('c')),
    quiet(del(`${secrets}/a`)),
    watch(`${secrets}?watch=true&resourceVersion={rv}`, 2),
  ),
  one(
    'gone on from a bookmark',
    secret('a'),
    watch(`${secrets}?${INITIAL}`, 2),
    quiet(annotate(`${secrets}/a`, '2')),
    watch(`${secrets}?watch=true&resourceVersion={rv}&allowWatchBookmarks=true`, 1),
  ),
  one(
    'gone on from a list',
    secret('a'),
    get(secrets),
    quiet(secret('b')),
    watch(`${secrets}?watch=true&resourceVersion={rv}`, 1),
  ),
  one('from the future', watch(`${secrets}?watch=true&resourceVersion=999999999999&timeoutSeconds=1`, 1)),
  one(
    'a pod goes at its leisure',
    post(pods, pod('p', { nodeName: 'n' })),
    watchWhile(
      `${pods}?watch=true&resourceVersion={rv}`,
      2,
      0,
      del(`${pods}/p`),
      del(`${pods}/p?gracePeriodSeconds=0`),
    ),
  ),
  one(
    'a finalizer holds',
    post(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'h', finalizers: ['a.b/c'] } }),
    watchWhile(
      `${secrets}?watch=true&resourceVersion={rv}`,
      2,
      0,
      del(`${secrets}/h`),
      patch('merge', `${secrets}/h`, { metadata: { finalizers: null } }),
    ),
  ),
  one(
    'applied',
    secret('a'),
    watchWhile(
      `${secrets}?watch=true&resourceVersion={rv}`,
      2,
      0,
      apply(`${secrets}/s`, 'one', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { k: 'dg==' } }),
      // Nothing new: nobody is told.
      apply(`${secrets}/s`, 'one', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { k: 'dg==' } }),
      apply(`${secrets}/s`, 'two', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { l: 'dg==' } }),
    ),
  ),
  one(
    'a dry run is not seen',
    secret('a'),
    watchWhile(
      `${secrets}?watch=true&resourceVersion={rv}`,
      1,
      0,
      post(`${secrets}?dryRun=All`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'd' } }),
      del(`${secrets}/a?dryRun=All`),
      secret('real'),
    ),
  ),
  one(
    'replaced out of the selection and back',
    secret('a', { in: '1' }),
    watchWhile(
      `${secrets}?watch=true&resourceVersion={rv}&labelSelector=in`,
      2,
      0,
      put(`${secrets}/a`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
      put(`${secrets}/a`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', labels: { in: '2' } } }),
    ),
  ),
  one(
    'a namespace',
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-w' } }),
    {
      ...watch('/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3D{ns}-w', 1),
    },
  ),
  one(
    'one namespace of many',
    secret('a'),
    watchWhile(
      `/api/v1/secrets?watch=true&resourceVersion={rv}&fieldSelector=metadata.namespace%3D{ns}`,
      1,
      0,
      post('/api/v1/namespaces/default/secrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { generateName: 'x-' },
      }),
      secret('mine'),
    ),
  ),
  one('spelled 1', secret('a'), watch(`${secrets}?watch=1&fieldSelector=metadata.name%3Da`, 1)),
  one('spelled false', secret('a'), get(`${secrets}?watch=false`)),
  one('spelled oddly', secret('a'), watch(`${secrets}?watch=yes&fieldSelector=metadata.name%3Da&timeoutSeconds=1`, 1)),
  one('with a limit', secret('a'), secret('b'), watch(`${secrets}?watch=true&limit=1&timeoutSeconds=1`, 2)),
]
