import { area, type Case, configMap, core, del, get, patch, pod, post, type Step, watch } from '../case.ts'

const one = area('watch')
const maps = core('configmaps')
const pods = core('pods')
const map = (name: string, labels = {}): Step => post(maps, configMap(name, { metadata: { labels } }))
const since = (name: string, query: string, events: number, ...steps: Step[]): Case =>
  one(
    name,
    map('start'),
    get(`${maps}/start`),
    ...steps,
    watch(`${maps}?watch=true&resourceVersion={rv}${query}`, events),
  )

// `{rv}` is the newest revision that was looked at, so what is to be watched happens unseen.
const quiet = (step: Step): Step => ({ ...step, unseen: true })

export const WATCH: Case[] = [
  one('the present state', map('a'), map('b'), watch(`${maps}?watch=true&labelSelector=!x`, 2)),
  one(
    'the present state by revision 0',
    map('a'),
    watch(`${maps}?watch=true&resourceVersion=0&fieldSelector=metadata.name%3Da`, 1),
  ),
  one(
    'initial events and a bookmark',
    map('a'),
    watch(
      `${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Da`,
      2,
    ),
  ),
  one(
    'initial events of nothing',
    watch(`${pods}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`, 1),
  ),
  one('initial events without a match', watch(`${maps}?watch=true&sendInitialEvents=true`, 1)),
  one('a match without initial events', watch(`${maps}?watch=true&resourceVersionMatch=NotOlderThan`, 1)),
  one('a bad revision', watch(`${maps}?watch=true&resourceVersion=x`, 1)),
  one('a bad selector', watch(`${maps}?watch=true&labelSelector=a+b`, 1)),
  one('a bad field', watch(`${maps}?watch=true&fieldSelector=x%3Dy`, 1)),
  one('a bad timeout', watch(`${maps}?watch=true&timeoutSeconds=x`, 1)),
  one('ends by itself', map('a'), watch(`${maps}?watch=true&resourceVersion={rv}&timeoutSeconds=1`, 99)),
  one('one object by name', map('a'), map('b'), watch(`${maps}/b?watch=true`, 1)),
  one('as a table', map('a'), {
    ...watch(`${maps}?watch=true&fieldSelector=metadata.name%3Da`, 1),
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  }),
  one('metadata alone', map('a'), {
    ...watch(`${maps}?watch=true&fieldSelector=metadata.name%3Da`, 1),
    headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  }),
  one(
    'across namespaces',
    map('a'),
    watch('/api/v1/configmaps?watch=true&fieldSelector=metadata.namespace%3D{ns},metadata.name%3Da', 1),
  ),
  since('an addition', '', 1, quiet(map('x'))),
  since('a change', '', 1, quiet(patch('merge', `${maps}/start`, { data: { a: '1' } }))),
  since('a deletion', '', 1, quiet(del(`${maps}/start`))),
  since(
    'a life',
    '',
    3,
    quiet(map('x')),
    quiet(patch('merge', `${maps}/x`, { data: { a: '1' } })),
    quiet(del(`${maps}/x`)),
  ),
  since('a change of nothing is no event', '', 1, quiet(patch('merge', `${maps}/start`, {})), quiet(map('x'))),
  since(
    'entering a selection',
    '&labelSelector=in',
    1,
    quiet(patch('merge', `${maps}/start`, { metadata: { labels: { in: '1' } } })),
  ),
  since(
    'leaving a selection',
    '&labelSelector=in',
    2,
    quiet(map('x', { in: '1' })),
    quiet(patch('merge', `${maps}/x`, { metadata: { labels: { in: null } } })),
  ),
  since(
    'changing inside a selection',
    '&labelSelector=in',
    2,
    quiet(map('x', { in: '1' })),
    quiet(patch('merge', `${maps}/x`, { data: { a: '1' } })),
  ),
  since('never inside', '&labelSelector=in', 1, quiet(map('x')), quiet(map('y', { in: '1' }))),
  since(
    'a deletion outside is not seen',
    '&labelSelector=in',
    1,
    quiet(map('x')),
    quiet(del(`${maps}/x`)),
    quiet(map('y', { in: '1' })),
  ),
  since('by name', '&fieldSelector=metadata.name%3Dx', 1, quiet(map('y')), quiet(map('x'))),
  since('bookmarks allowed', '&allowWatchBookmarks=true', 1, quiet(map('x'))),
  since('a deletion as a table', '', 1, quiet(del(`${maps}/start`))),
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
