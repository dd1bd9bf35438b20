import { configMap, fails, genericJob, lines, pod, prepare, type Scenario, step, WATCHES } from '../step.ts'

const several = ['a', 'b', 'c', 'd', 'e'].map((name, i) => configMap(name, { k: String(9 - i) })).join('---\n')

export const READING: Scenario[] = [
  {
    name: 'get: tables and every way to print',
    steps: [
      prepare('apply -f -', pod('p')),
      prepare('apply -f -', pod('q', { labels: 'app: db, tier: "1"', image: 'nginx' })),
      step('get pods', { shows: 'Pending' }),
      step('get pods --no-headers'),
      step('get pods -o wide', { shows: 'NOMINATED NODE' }),
      step('get pods --show-labels', { shows: 'app=web' }),
      step('get pods -L app,tier'),
      step('get pods -l app=web -o name', { shows: 'pod/p' }),
      step(`get pods -l 'app in (web,db),!tier' -o name`),
      step('get pods --field-selector status.phase=Pending -o name', { shows: 'pod/q' }),
      step('get pods --field-selector status.phase=Running', { shows: 'No resources found' }),
      step('get pods --field-selector metadata.name=q,spec.nodeName= -o name'),
      fails('get pods --field-selector spec.nothing=1', { shows: 'field label not supported' }),
      step('get pod p -o json', { shows: '"imagePullPolicy": "Always"' }),
      step('get pod p -o yaml', { shows: 'dnsPolicy: ClusterFirst' }),
      step('get pods -o yaml', { shows: 'kind: List' }),
      step(`get pods -o jsonpath='{range .items[*]}{.metadata.name}={.spec.containers[0].image} {end}'`, {
        shows: 'p=busybox q=nginx',
      }),
      step(`get pod p -o go-template='{{.metadata.name}} {{range .spec.containers}}{{.image}}{{end}}'`),
      step('get pods -o custom-columns=N:.metadata.name,P:.status.phase,X:.spec.none', { shows: '<none>' }),
      step('get pods --sort-by=.spec.containers[0].image -o name'),
      step('get pod/p cm/none -o name --ignore-not-found', { shows: 'pod/p' }),
      step('get all', { shows: 'pod/p' }),
      fails('get pod none', { shows: 'NotFound' }),
      fails('get nothings', { shows: `doesn't have a resource type` }),
      fails('get pods p --field-selector metadata.name=p'),
      fails(`get pods -l 'a b'`, { shows: 'unable to parse requirement' }),
    ],
  },
  {
    name: 'get: many objects, pages and namespaces',
    steps: [
      prepare('apply -f -', several),
      step('get cm -l set=one --chunk-size=2', { shows: 'DATA' }),
      step('get cm -l set=one --chunk-size=2 -o name', { shows: 'configmap/e' }),
      step('get cm -l set=one --chunk-size=2 --sort-by=.data.k -o name'),
      step('get cm -A -l set=one --field-selector metadata.namespace={ns}', { shows: 'NAMESPACE' }),
      step('get cm -A -l set=one --field-selector metadata.namespace={ns} -o name'),
      step('get cm a b none', { code: 1, shows: 'configmaps "none" not found' }),
      step('get cm a --show-managed-fields -o yaml', { shows: 'kubectl-client-side-apply' }),
      step('get ns {ns}', { shows: 'Active' }),
      step('get ns {ns} -o wide --show-labels', { shows: 'kubernetes.io/metadata.name' }),
      step('get sa default', { shows: 'default' }),
    ],
  },
  {
    name: 'get -w: ended after the lines that were expected',
    steps: [
      prepare('apply -f -', configMap('a', { k: '1' })),
      step('get cm a -w', {
        lines: 4,
        meanwhile: [
          { once: lines(2), run: 'label cm a seen=yes' },
          { once: lines(3), run: 'delete cm a' },
        ],
      }),
      step('get cm -l set=two --watch-only -o name -v=6', {
        lines: 1,
        meanwhile: [
          { once: WATCHES, run: `create configmap b --from-literal=a=1` },
          { once: WATCHES, run: 'label cm b set=two' },
        ],
        talkative: true,
      }),
      prepare('apply -f -', pod('p')),
      step('get pod p -w --output-watch-events', {
        // A pod is marked and then removed.
        lines: 5,
        meanwhile: [
          { once: lines(2), run: `patch pod p --subresource=status --type merge -p '{"status":{"phase":"Running"}}'` },
          { once: lines(3), run: 'delete pod p' },
        ],
      }),
    ],
  },
  {
    name: 'describe',
    steps: [
      prepare('apply -f -', pod('p')),
      prepare('apply -f -', configMap('m', { k: 'v', text: 'two\nlines' })),
      prepare('create secret generic s --from-literal=p=q'),
      // Without a selector: nobody looks for its endpoints.
      prepare('create service externalname web --external-name=example.com'),
      prepare('apply -f -', genericJob('job')),
      prepare('apply -f -', event('one', 'Warning', 'Broken')),
      step('describe pod p', { shows: 'Broken' }),
      step('describe pod p --show-events=false'),
      step('describe cm m', { shows: 'BinaryData' }),
      step('describe secret s', { shows: 'Opaque' }),
      step('describe svc web', { shows: 'External Name' }),
      step('describe sa default'),
      step('describe ns {ns}', {
        shows: 'Active',
        known: 'quotas and limit ranges are not served, so nothing is said of them',
      }),
      step('describe genericjob job', { shows: 'Replica Specs' }),
      step('describe crd genericjobs.batch.tensorstack.dev', { shows: 'Accepted Names' }),
      step('describe pods -l app=web', { shows: 'busybox' }),
      fails('describe pod none', { shows: 'not found' }),
    ],
  },
  {
    name: 'events',
    steps: [
      prepare('apply -f -', pod('p')),
      step('events', { shows: 'No events found' }),
      prepare('apply -f -', event('one', 'Warning', 'Broken')),
      prepare('apply -f -', event('two', 'Normal', 'Mended')),
      step('get events --sort-by=.metadata.name', { shows: 'Mended' }),
      step('get events --field-selector involvedObject.name=p,type=Warning -o name', { shows: 'event/one' }),
      step('get events --field-selector reason=Mended -o name', { shows: 'event/two' }),
      step('get events --field-selector involvedObject.kind=Pod,reason=Mended -o wide'),
      step('events --types=Warning', { shows: 'Broken' }),
      step('events --for pod/p --types=Normal', { shows: 'Mended' }),
      step('events --types=Warning -o json'),
    ],
  },
]

function event(name: string, type: string, reason: string): string {
  return `apiVersion: v1
kind: Event
metadata: {name: ${name}}
involvedObject: {apiVersion: v1, kind: Pod, name: p, namespace: '{ns}', uid: '{uid:pod/p}'}
type: ${type}
reason: ${reason}
message: something was ${reason.toLowerCase()}
source: {component: tester}
firstTimestamp: "2026-01-02T03:04:05Z"
lastTimestamp: "2026-01-02T03:04:05Z"
count: 1
`
}
