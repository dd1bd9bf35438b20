import { elasticJob, fails, genericJob, prepare, type Scenario, step, WATCHES } from '../step.ts'

const misspelt = genericJob('other').replace('successRules', 'succesRules')

const status = (job: string, patch: unknown): string =>
  `patch ${job} --subresource=status --type merge -p '${JSON.stringify({ status: patch })}'`

export const OUR_KINDS: Scenario[] = [
  {
    name: 'our kinds: reading and writing',
    steps: [
      step('apply -f -', { input: genericJob('job'), shows: 'created' }),
      step('apply -f -', { input: genericJob('job'), shows: 'configured' }),
      step('get genericjobs', { shows: 'NAME' }),
      step('get gj -o wide'),
      step('get genericjob job -o yaml', { shows: 'generation: 1' }),
      step('get trainyard -o name', { shows: 'genericjob' }),
      step('get gj -l team=a --show-labels', { shows: 'team=a' }),
      step('get genericjobs.v1beta1.batch.tensorstack.dev job -o jsonpath={.spec.replicaSpecs[0].replicas}', {
        shows: '1',
      }),
      fails('apply -f -', { input: genericJob('job', 2), shows: 'may not change after creation' }),
      fails('apply -f -', { input: genericJob('job', 'many'), shows: 'spec.replicaSpecs[0].replicas' }),
      fails('apply -f -', { input: genericJob('job', -1), shows: 'should be greater than or equal to' }),
      fails('create -f -', { input: genericJob('other', 'many'), shows: 'spec.replicaSpecs[0].replicas' }),
      fails('create -f -', { input: misspelt, shows: 'unknown field "spec.succesRules"' }),
      fails('apply -f -', { input: misspelt.replace('name: "other"', 'name: "job"'), shows: 'unknown field' }),
      fails('create -f -', { input: genericJob('job'), shows: 'AlreadyExists' }),
      step('create -f - --validate=warn', { input: genericJob('other').replace('spec:', 'spec:\n  nothing: 1') }),
      step(status('genericjob job', { phase: 'Running' })),
      step('get gj job', { shows: 'Running' }),
      step('get gj job -o jsonpath={.metadata.generation}', { shows: '1' }),
      fails(`patch gj job -p '{"spec":{}}'`, { shows: 'strategic-merge-patch+json is not supported' }),
      fails(`patch gj job --type json -p '[{"op":"replace","path":"/spec/replicaSpecs/0/replicas","value":7}]'`),
      fails(status('genericjob job', { phase: 7 }), { shows: 'must be of type string' }),
      step('label gj job a=b'),
      step('describe gj job', { shows: 'Running' }),
      step('diff -f -', { input: genericJob('fresh'), code: 1, shows: '+kind: GenericJob' }),
      step('delete gj --all', { shows: 'deleted' }),
      fails('get gj job', { shows: 'NotFound' }),
    ],
  },
  {
    name: 'our kinds: server-side apply',
    steps: [
      step('apply --server-side -f -', { input: elasticJob('elastic'), shows: 'serverside-applied' }),
      step('apply --server-side -f -', { input: elasticJob('elastic'), shows: 'serverside-applied' }),
      step('get ptj elastic --show-managed-fields -o yaml', { shows: 'operation: Apply' }),
      fails('apply --server-side --field-manager=other -f -', { input: elasticJob('elastic', 3), shows: 'conflict' }),
      step('apply --server-side --field-manager=other --force-conflicts -f -', { input: elasticJob('elastic', 3) }),
      step('get ptj elastic -o jsonpath={.metadata.generation},{.spec.elastic.expectedReplicas}', { shows: '2,3' }),
      fails('apply --server-side --force-conflicts -f -', { input: elasticJob('elastic', 9), shows: 'invalid' }),
      fails('apply --server-side -f -', { input: elasticJob('elastic', 4), shows: 'conflicts with "other"' }),
      step('diff --server-side --force-conflicts -f -', { input: elasticJob('elastic', 4), code: 1 }),
    ],
  },
  {
    name: 'scale',
    steps: [
      prepare('apply -f -', elasticJob('elastic')),
      step('scale pytorchtrainingjob/elastic --replicas=3', { shows: 'scaled' }),
      step('get ptj elastic -o jsonpath={.spec.elastic.expectedReplicas}', { shows: '3' }),
      fails('scale ptj/elastic --replicas=4 --current-replicas=1', { shows: 'Expected replicas to be 1' }),
      step('scale ptj/elastic --replicas=4 --current-replicas=3', { shows: 'scaled' }),
      fails('scale ptj/elastic --replicas=9'),
      fails('scale ptj/none --replicas=1', { shows: 'not found' }),
      prepare('apply -f -', genericJob('job')),
      fails('scale gj/job --replicas=2'),
      step('get --raw /apis/batch.tensorstack.dev/v1beta1/namespaces/{ns}/pytorchtrainingjobs/elastic/scale', {
        json: true,
        shows: 'autoscaling/v1',
      }),
      step('get ptj elastic --subresource=scale', { shows: 'elastic' }),
    ],
  },
  {
    name: 'wait',
    steps: [
      prepare('apply -f -', genericJob('job')),
      step('wait gj/job --for=jsonpath={.status.phase}=Succeeded --timeout=60s -v=6', {
        meanwhile: [{ once: WATCHES, run: status('gj job', { phase: 'Succeeded' }) }],
        talkative: true,
        shows: 'condition met',
      }),
      step('wait gj/job --for=jsonpath={.spec.replicaSpecs[0].replicas}=1 --timeout=60s'),
      fails('wait gj/job --for=jsonpath={.status.phase}=Failed --timeout=1s', { shows: 'timed out' }),
      prepare(
        status('gj job', {
          conditions: [
            { type: 'Complete', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z' },
          ],
        }),
      ),
      step('wait gj --all --for=condition=Complete --timeout=60s', { shows: 'condition met' }),
      fails('wait gj/job --for=condition=Failed --timeout=1s', { shows: 'timed out' }),
      step('wait gj/job --for=delete --timeout=60s -v=6', {
        meanwhile: [{ once: WATCHES, run: 'delete gj job' }],
        talkative: true,
        shows: 'condition met',
      }),
      step('wait gj/job --for=delete --timeout=60s'),
      fails('wait gj/job --for=condition=Complete --timeout=60s', { shows: 'NotFound' }),
      step('wait --for=create cm/late --timeout=60s -v=6', {
        talkative: true,
        meanwhile: [{ once: /404 Not Found/, run: 'create configmap late --from-literal=a=1' }],
        shows: 'condition met',
      }),
    ],
  },
]
