import { configMap, fails, GO_DIFF, pod, prepare, type Scenario, step } from '../step.ts'

const map = (data: Record<string, string>) => configMap('m', data)

export const APPLYING: Scenario[] = [
  {
    name: 'apply: client-side',
    steps: [
      step('apply -f -', { input: pod('p'), shows: 'created' }),
      step('apply -f -', { input: pod('p'), shows: 'unchanged' }),
      step('apply -f -', { input: pod('p', { image: 'nginx' }), shows: 'configured' }),
      step('get pod p -o yaml', { shows: 'last-applied-configuration' }),
      fails('apply -f -', {
        input: pod('p', { spec: '  hostname: x\n' }),
        shows: 'pod updates may not change fields',
        known: GO_DIFF,
      }),
      step('apply -f -', { input: map({ a: '1', b: '2' }) }),
      step('apply -f -', { input: map({ b: '3', c: '4' }) }),
      step('get cm m -o json', { shows: '"c": "4"' }),
      step('apply view-last-applied cm m', { shows: 'c: "4"' }),
      step('apply -f - --dry-run=server -o yaml', { input: map({ b: '5' }) }),
      step('apply -f - --dry-run=client', { input: map({ b: '5' }) }),
      fails('apply -f -', { input: pod('q').replace('image:', 'imagee:'), shows: 'unknown field' }),
      step('apply -f - --validate=warn', { input: map({ b: '6' }).replace('\ndata:', '\ndataa: {}\ndata:') }),
      step('apply -f -', {
        input: `${map({ b: '7' })}---\n${configMap('n', { x: 'y' })}`,
        shows: 'configmap/n created',
      }),
      fails('apply -f -', { input: 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: x}\n' }),
      prepare('create configmap bare --from-literal=a=1'),
      step('apply -f -', { input: configMap('bare', { a: '2' }), shows: 'missing the kubectl.kubernetes.io' }),
      step('replace -f -', { input: map({ z: '1' }), shows: 'replaced' }),
      fails('replace -f -', { input: configMap('absent', { z: '1' }), shows: 'NotFound' }),
    ],
  },
  {
    name: 'diff',
    steps: [
      prepare('apply -f -', map({ a: '1' })),
      step('diff -f -', { input: map({ a: '1' }) }),
      fails('diff -f -', { input: map({ a: '2' }), shows: '+  a: "2"' }),
      fails('diff --server-side -f -', { input: configMap('fresh', { a: '2' }), shows: '+kind: ConfigMap' }),
      step('diff -f -', { input: configMap('Not_A_Name', { a: '2' }), code: 2, shows: 'Invalid value' }),
    ],
  },
  {
    name: 'apply: server-side, with conflicts and force',
    steps: [
      step('apply --server-side -f -', { input: pod('p'), shows: 'serverside-applied' }),
      step('apply --server-side -f -', { input: pod('p') }),
      step('get pod p --show-managed-fields -o yaml', { shows: 'operation: Apply' }),
      step('apply --server-side --field-manager one -f -', { input: map({ a: '1', b: '1' }) }),
      fails('apply --server-side --field-manager two -f -', { input: map({ a: '2' }), shows: 'conflict with "one"' }),
      fails('apply --server-side --field-manager two -f -', { input: map({ a: '2', b: '2' }), shows: '2 conflicts' }),
      step('apply --server-side --field-manager two -f -', { input: map({ a: '1', c: '2' }) }),
      step('get cm m -o yaml', { shows: 'c: "2"' }),
      step('apply --server-side --field-manager two --force-conflicts -f -', { input: map({ a: '3', c: '2' }) }),
      fails('apply --server-side --field-manager one -f -', { input: map({ a: '1' }), shows: 'conflict with "two"' }),
      // Its manager gives b up, which nobody else has.
      step('apply --server-side --field-manager one --force-conflicts -f -', { input: map({ a: '9' }) }),
      step('get cm m -o jsonpath={.data}'),
      step(`patch cm m --type merge -p '{"data":{"a":"by hand"}}'`),
      fails('apply --server-side --field-manager one -f -', { input: map({ a: '9' }), shows: 'kubectl-patch' }),
      step('apply -f - --server-side --dry-run=server -o name', { input: configMap('n', { x: 'y' }) }),
      prepare('apply -f -', configMap('old', { a: '1' })),
      step('apply --server-side -f -', { input: configMap('old', { a: '2' }), shows: 'serverside-applied' }),
      step('get cm old --show-managed-fields -o yaml'),
      fails('apply --server-side -f -', { input: map({ a: '1' }).replace('\ndata:', '\ndataa: {}\ndata:') }),
      fails('apply --server-side -f -', { input: pod('q', { image: '' }) }),
    ],
  },
]
