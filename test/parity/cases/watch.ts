import { area, type Case, core, del, get, patch, pod, post, quiet, type Step, watch } from '../case.ts'

const one = area('watch')
// Not config maps: the cluster puts one of its own into every namespace.
const secrets = core('secrets')
const pods = core('pods')
const secret = (name: string, labels = {}): Step =>
  post(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels } })
// `{rv}` is the newest revision that was looked at, so what is to be watched happens unseen.
const since = (name: string, query: string, events: number, ...steps: Step[]): Case =>
  one(
    name,
    secret('start'),
    get(`${secrets}/start`),
    ...steps,
    watch(`${secrets}?watch=true&resourceVersion={rv}${query}`, events),
  )

export const WATCH: Case[] = [
  one('the present state', secret('a'), secret('b'), watch(`${secrets}?watch=true&labelSelector=!x`, 2)),
  one(
    'the present state by revision 0',
    secret('a'),
    watch(`${secrets}?watch=true&resourceVersion=0&fieldSelector=metadata.name%3Da`, 1),
  ),
  one(
    'initial events and a bookmark',
    secret('a'),
    watch(
      `${secrets}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Da`,
      2,
    ),
  ),
  one(
    'initial events of nothing',
    watch(`${pods}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`, 1),
  ),
  one('initial events without a match', watch(`${secrets}?watch=true&sendInitialEvents=true`, 1)),
  one('a match without initial events', watch(`${secrets}?watch=true&resourceVersionMatch=NotOlderThan`, 1)),
  one('a bad revision', watch(`${secrets}?watch=true&resourceVersion=x`, 1)),
  one('a bad selector', watch(`${secrets}?watch=true&labelSelector=a+b`, 1)),
  one('a bad field', watch(`${secrets}?watch=true&fieldSelector=x%3Dy`, 1)),
  one('a bad timeout', watch(`${secrets}?watch=true&timeoutSeconds=x`, 1)),
  one('ends by itself', secret('a'), watch(`${secrets}?watch=true&resourceVersion={rv}&timeoutSeconds=1`, 99)),
  one('one object by name', secret('a'), secret('b'), watch(`${secrets}/b?watch=true`, 1)),
  one('as a table', secret('a'), {
    ...watch(`${secrets}?watch=true&fieldSelector=metadata.name%3Da`, 1),
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  }),
  one('metadata alone', secret('a'), {
    ...watch(`${secrets}?watch=true&fieldSelector=metadata.name%3Da`, 1),
    headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  }),
  one(
    'across namespaces',
    secret('a'),
    watch('/api/v1/secrets?watch=true&fieldSelector=metadata.namespace%3D{ns},metadata.name%3Da', 1),
  ),
  since('an addition', '', 1, quiet(secret('x'))),
  since('a change', '', 1, quiet(patch('merge', `${secrets}/start`, { metadata: { annotations: { a: '1' } } }))),
  since('a deletion', '', 1, quiet(del(`${secrets}/start`))),
  since(
    'a life',
    '',
    3,
    quiet(secret('x')),
    quiet(patch('merge', `${secrets}/x`, { metadata: { annotations: { a: '1' } } })),
    quiet(del(`${secrets}/x`)),
  ),
  since('a change of nothing is no event', '', 1, quiet(patch('merge', `${secrets}/start`, {})), quiet(secret('x'))),
  since(
    'entering a selection',
    '&labelSelector=in',
    1,
    quiet(patch('merge', `${secrets}/start`, { metadata: { labels: { in: '1' } } })),
  ),
  since(
    'leaving a selection',
    '&labelSelector=in',
    2,
    quiet(secret('x', { in: '1' })),
    quiet(patch('merge', `${secrets}/x`, { metadata: { labels: { in: null } } })),
  ),
  since(
    'changing inside a selection',
    '&labelSelector=in',
    2,
    quiet(secret('x', { in: '1' })),
    quiet(patch('merge', `${secrets}/x`, { metadata: { annotations: { a: '1' } } })),
  ),
  since('never inside', '&labelSelector=in', 1, quiet(secret('x')), quiet(secret('y', { in: '1' }))),
  since(
    'a deletion outside is not seen',
    '&labelSelector=in',
    1,
    quiet(secret('x')),
    quiet(del(`${secrets}/x`)),
    quiet(secret('y', { in: '1' })),
  ),
  since('by name', '&fieldSelector=metadata.name%3Dx', 1, quiet(secret('y')), quiet(secret('x'))),
  since('bookmarks allowed', '&allowWatchBookmarks=true', 1, quiet(secret('x'))),
  one('a deletion as a table', secret('start'), quiet(del(`${secrets}/start`)), {
    ...watch(`${secrets}?watch=true&resourceVersion={rv}`, 1),
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  }),
  one(
    'pods by phase',
    post(pods, pod('p')),
    quiet(patch('merge', `${pods}/p/status`, { status: { phase: 'Running' } })),
    watch(`${pods}?watch=true&resourceVersion={rv}&fieldSelector=status.phase%3DRunning`, 1),
  ),
  one(
    'pods leaving a node',
    post(pods, pod('p', { nodeName: 'n' })),
    quiet(patch('merge', `${pods}/p/status`, { status: { phase: 'Failed' } })),
    watch(`${pods}?watch=true&resourceVersion={rv}&fieldSelector=status.phase%3DPending`, 1),
  ),
]
