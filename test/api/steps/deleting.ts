import { configMap, fails, pod, prepare, type Scenario, step } from '../step.ts'

const owned = (name: string, owner: string): string =>
  configMap(name, { k: 'v' }, 'kind: child').replace(
    '\ndata:',
    `\n  ownerReferences:
  - {apiVersion: v1, kind: ConfigMap, name: ${owner}, uid: '{uid:cm/${owner}}', blockOwnerDeletion: true}
data:`,
  )

export const DELETING: Scenario[] = [
  {
    name: 'delete: grace and force',
    steps: [
      prepare('apply -f -', pod('p')),
      // On a node that is there: pods of others are swept up by and by.
      prepare('apply -f -', 'apiVersion: v1\nkind: Node\nmetadata: {name: "{ns}"}\n'),
      prepare('apply -f -', pod('bound', { spec: '  nodeName: "{ns}"\n' })),
      step('delete pod p', { shows: 'deleted' }),
      fails('get pod p'),
      step('delete pod bound --grace-period=100 --wait=false', { shows: 'deleted' }),
      step('get pod bound', { shows: 'Terminating' }),
      step('get pod bound -o jsonpath={.metadata.deletionGracePeriodSeconds}', { shows: '100' }),
      step('delete pod bound --grace-period=50 --wait=false'),
      step('get pod bound -o jsonpath={.metadata.deletionGracePeriodSeconds}', { shows: '50' }),
      step('delete pod bound --force', { shows: 'force deleted' }),
      fails('get pod bound'),
      fails('delete pod none', { shows: 'NotFound' }),
      step('delete pod none --ignore-not-found'),
      prepare('delete node {ns}'),
    ],
  },
  {
    name: 'delete: many at once',
    steps: [
      prepare('apply -f -', ['a', 'b', 'c'].map((name) => configMap(name, { k: 'v' })).join('---\n')),
      prepare('apply -f -', configMap('other', { k: 'v' }, 'set: two')),
      step('delete cm -l set=one --dry-run=server', { shows: 'server dry run' }),
      step('delete cm -l set=one', { shows: '"c" deleted' }),
      step('get cm -l set', { shows: 'other' }),
      step('delete -f -', { input: configMap('other', {}), shows: 'deleted' }),
      step('delete cm -l set=one', { shows: 'No resources found' }),
    ],
  },
  {
    name: 'delete: owners and what they own',
    steps: [
      prepare('apply -f -', ['o1', 'o2', 'o3'].map((name) => configMap(name, { k: 'v' })).join('---\n')),
      prepare('apply -f -', owned('kept', 'o1')),
      prepare('apply -f -', owned('first', 'o2')),
      prepare('apply -f -', owned('later', 'o3')),
      step('get cm kept -o yaml', { shows: 'blockOwnerDeletion: true' }),
      step('delete cm o1 --cascade=orphan', { shows: 'deleted' }),
      step('wait --for=delete cm/o1 --timeout=60s'),
      step('get cm kept -o yaml', { shows: 'kept' }),
      step('delete cm o2 --cascade=foreground', { shows: 'deleted' }),
      fails('get cm first o2', { shows: '"first" not found' }),
      step('delete cm o3 --cascade=background', { shows: 'deleted' }),
      prepare('wait --for=delete cm/later --timeout=60s'),
      fails('get cm later', { shows: 'not found' }),
      step('get cm -l kind=child -o name', { shows: 'kept' }),
    ],
  },
  {
    name: 'delete: a namespace and all that is in it',
    steps: [
      step('create ns {ns}-b', { shows: 'created' }),
      prepare('create configmap m -n {ns}-b --from-literal=a=1'),
      step('delete ns {ns}-b', { shows: 'deleted' }),
      fails('get ns {ns}-b', { shows: 'not found' }),
      fails('create configmap m -n {ns}-b --from-literal=a=1', { shows: 'not found' }),
      fails('delete ns default', { shows: 'forbidden' }),
    ],
  },
  {
    name: 'delete: finalizers',
    steps: [
      prepare(
        'apply -f -',
        configMap('held', { k: 'v' }).replace('\ndata:', '\n  finalizers: [example.com/hold]\ndata:'),
      ),
      step('delete cm held --wait=false', { shows: 'deleted' }),
      fails('delete cm held --timeout=1s', { shows: 'timed out' }),
      step('get cm held -o yaml', { shows: 'deletionTimestamp' }),
      step(`patch cm held --type json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`),
      step('wait --for=delete cm/held --timeout=60s'),
      fails('get cm held'),
    ],
  },
]
