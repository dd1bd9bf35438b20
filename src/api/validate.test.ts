import { describe, expect, test } from 'vitest'
import { messageOf, pathText } from './issue.ts'
import { validate } from './validate.ts'

// biome-ignore lint/suspicious/noExplicitAny: manifests are bent into any shape here
type Loose = any

const template = (name = 'main'): Loose => ({ spec: { containers: [{ name, image: 'i', args: ['a.py'] }] } })

const bases: Record<string, () => Loose> = {
  pytorch: () => ({
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'PyTorchTrainingJob',
    metadata: { name: 'job' },
    spec: {
      replicaSpecs: [
        { type: 'master', template: template() },
        { type: 'worker', replicas: 3, template: template() },
      ],
    },
  }),
  tensorflow: () => ({
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'TensorFlowTrainingJob',
    metadata: { name: 'job' },
    spec: { replicaSpecs: [{ type: 'worker', replicas: 2, template: template('tensorflow') }] },
  }),
  generic: () => ({
    apiVersion: 'batch.tensorstack.dev/v1beta1',
    kind: 'GenericJob',
    metadata: { name: 'job' },
    spec: {
      successRules: [{ worker: [0] }],
      failureRules: [],
      replicaSpecs: [{ type: 'worker', replicas: 2, template: template() }],
    },
  }),
  tfjob: () => ({
    apiVersion: 'kubeflow.org/v1',
    kind: 'TFJob',
    metadata: { name: 'job' },
    spec: { tfReplicaSpecs: { Worker: { replicas: 2, template: template('tensorflow') } } },
  }),
  tensorboard: () => ({
    apiVersion: 'tensorstack.dev/v1beta1',
    kind: 'TensorBoard',
    metadata: { name: 'board' },
    spec: {},
  }),
}

/** What is said about a manifest, as a command would print it; every line that is asked for is line 30. */
function said(base: string, bend: (job: Loose) => void = () => {}): string[] {
  const job = bases[base]!()
  bend(job)
  return validate(job).issues.map(
    (issue) => `${issue.severity}: ${pathText(issue.path)}: ${messageOf(issue, () => 30)}`,
  )
}

test.each(Object.keys(bases))('a good %s has nothing said about it', (base) => {
  expect(said(base)).toEqual([])
})

describe('a mistake is said once, in words for its author', () => {
  test.each<[string, (job: Loose) => void, string]>([
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[1].restartPolicy = 'Onfailure'
      },
      'spec.replicaSpecs[1].restartPolicy: "Onfailure" is not one of Always, OnFailure, Never, ExitCode; did you mean OnFailure?',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.elastic = { enable: true, minReplicas: 1, maxReplicas: 6, expectedReplicas: 8 }
        j.spec.torchrunConfig = { enable: true }
      },
      'spec.elastic.expectedReplicas: 8 is more than maxReplicas (6, line 30)',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.elastic = { enable: true, minReplicas: 4, maxReplicas: 2, expectedReplicas: 3 }
      },
      'spec.elastic.minReplicas: 4 is more than maxReplicas (2, line 30)',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.elastic = { enable: true, minReplicas: 4, maxReplicas: 8 }
      },
      'spec.elastic.expectedReplicas: is missing; an elastic job needs minReplicas, maxReplicas and expectedReplicas',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.torchrunConfig = { enable: true, enabled: false }
      },
      'spec.torchrunConfig.enabled: false contradicts enable: true (line 30); both spellings mean the same, keep one',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.scheduler = { t9kScheduler: { queue: 'a', Queue: 'b' } }
      },
      'spec.scheduler.t9kScheduler.Queue: "b" contradicts queue: a (line 30); both spellings mean the same, keep one',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.scheduler = { t9kScheduler: {} }
      },
      'spec.scheduler.t9kScheduler.queue: is missing',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[1].type = 'master'
      },
      'spec.replicaSpecs[1].type: "master" is there twice, line 30',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[1].type = 'Worker'
      },
      'spec.replicaSpecs[1].type: "Worker" is no good as part of a pod name: use small letters, digits and dashes',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[1].replicas = -3
      },
      'spec.replicaSpecs[1].replicas: -3 is less than 1',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[1].replicas = 1_000_000_000
      },
      'spec.replicaSpecs[1].replicas: 1000000000 is more than 4096',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[1].replicas = '$(params.n)'
      },
      'spec.replicaSpecs[1].replicas: "$(params.n)" still has a workflow parameter in it; fill in $(params.n) before the job is created',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.torchrunConfig = { enabled: true }
        delete j.spec.replicaSpecs[1].template.spec.containers[0].args
      },
      'spec.replicaSpecs[1].template.spec.containers[0]: torchrun has nothing to run: args must name the script and its arguments',
    ],
    [
      'pytorch',
      (j) => {
        j.metadata.name = 'a'.repeat(50)
      },
      `metadata.name: "${'a'.repeat(50)}" is 2 characters too long: ${'a'.repeat(50)}-*****-master-0 would have 65 characters, 63 are allowed; a name of up to 48 fits`,
    ],
    [
      'pytorch',
      (j) => {
        j.metadata.name = 'Job_1'
      },
      'metadata.name: "Job_1" is no good as a job name: use small letters, digits and dashes, and begin with a letter',
    ],
    [
      'pytorch',
      (j) => {
        delete j.metadata
      },
      'metadata.name: is missing',
    ],
    [
      'pytorch',
      (j) => {
        j.metadata.name = 7
      },
      'metadata.name: 7 is not a text; put it in quotes',
    ],
    [
      'pytorch',
      (j) => {
        j.metadata.labels = { a: 1 }
      },
      'metadata.labels.a: 1 is not a text; put it in quotes',
    ],
    [
      'pytorch',
      (j) => {
        delete j.spec
      },
      'spec: is missing',
    ],
    [
      'pytorch',
      (j) => {
        j.spec = []
      },
      'spec: [] is not an object',
    ],
    [
      'pytorch',
      (j) => {
        j.apiVersion = 'batch.tensorstack.dev/v1'
      },
      'apiVersion: "batch.tensorstack.dev/v1" has no PyTorchTrainingJob; it is batch.tensorstack.dev/v1beta1',
    ],
    [
      'pytorch',
      (j) => {
        j.apiVersion = 'batch.tensorstak.dev/v1beta1'
      },
      'apiVersion: "batch.tensorstak.dev/v1beta1" has no PyTorchTrainingJob; it is batch.tensorstack.dev/v1beta1',
    ],
    [
      'pytorch',
      (j) => {
        j.kind = 'PytorchTrainingJob'
      },
      'kind: "PytorchTrainingJob" is not one of TensorFlowTrainingJob, PyTorchTrainingJob, GenericJob; did you mean PyTorchTrainingJob?',
    ],
    [
      'pytorch',
      (j) => {
        delete j.apiVersion
      },
      'apiVersion: is missing; a PyTorchTrainingJob is batch.tensorstack.dev/v1beta1',
    ],
    [
      'pytorch',
      (j) => {
        delete j.kind
      },
      'kind: is missing',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].image = 'a:$(params.tag)'
      },
      'spec.replicaSpecs[0].template.spec.containers[0].image: "a:$(params.tag)" still has a workflow parameter in it; fill in $(params.tag) before the job is created',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[0].temlate = j.spec.replicaSpecs[0].template
        delete j.spec.replicaSpecs[0].template
      },
      'spec.replicaSpecs[0].temlate: unknown field; did you mean template?',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].resources = { limits: { cpu: 0.5 } }
      },
      'spec.replicaSpecs[0].template.spec.containers[0].resources.limits.cpu: 0.5 is not a whole number or a text; put it in quotes',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].resources = { limits: { memory: '8 GB' } }
      },
      'spec.replicaSpecs[0].template.spec.containers[0].resources.limits.memory: "8 GB" is no quantity; write for example 500m, 2 or 8Gi',
    ],
    [
      'tfjob',
      (j) => {
        j.kind = 'MPIJob'
      },
      'kind: "MPIJob" is not known here, of kubeflow.org only TFJob is',
    ],
    [
      'tensorflow',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].name = 'main'
      },
      'spec.replicaSpecs[0].template.spec.containers: no container is named tensorflow; the one that trains must be',
    ],
    [
      'tensorflow',
      (j) => {
        j.spec.replicaSpecs[0].type = 'ps'
      },
      'spec.replicaSpecs: nobody decides this job: it needs a chief or a worker',
    ],
    [
      'tensorflow',
      (j) => {
        j.spec.replicaSpecs[0].replicas = 600
        j.spec.replicaSpecs.push({ type: 'ps', replicas: 600, template: template('tensorflow') })
      },
      'spec.replicaSpecs: 1200 replicas together, at most 1000 are allowed',
    ],
    [
      'generic',
      (j) => {
        j.spec.replicaSpecs[0].restartPolicy = 'OnFailure'
      },
      'spec.replicaSpecs[0].restartPolicy: "OnFailure" is a plain text; a GenericJob wants an object here: {policy: OnFailure, limit: 3}',
    ],
    [
      'generic',
      (j) => {
        j.spec.successRules = [{ wroker: [0] }]
      },
      'spec.successRules[0].wroker: the job has no replica type "wroker"; did you mean worker?',
    ],
    [
      'generic',
      (j) => {
        j.spec.successRules = [{ worker: [0, 2] }]
      },
      'spec.successRules[0].worker[1]: 2 is out of range: worker has ranks 0 to 1',
    ],
    [
      'generic',
      (j) => {
        j.spec.failureRules = [{ worker: ['0-2'] }]
      },
      'spec.failureRules[0].worker[0]: "0-2" is out of range: worker has ranks 0 to 1',
    ],
    [
      'generic',
      (j) => {
        j.spec.successRules = [{ worker: ['1-0'] }]
      },
      'spec.successRules[0].worker[0]: "1-0" is the wrong way round; write the smaller rank first',
    ],
    [
      'generic',
      (j) => {
        j.spec.replicasSpec = j.spec.replicaSpecs
      },
      'spec.replicasSpec: stands beside replicaSpecs (line 30); both spellings mean the same, keep one',
    ],
    [
      'generic',
      (j) => {
        delete j.spec.replicaSpecs
      },
      'spec.replicaSpecs: is missing',
    ],
    [
      'generic',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].args = ['$(service.worker[0].host)']
      },
      'spec.replicaSpecs[0].template.spec.containers[0].args[0]: $(service.worker[0].host): the job has no spec.service',
    ],
    [
      'generic',
      (j) => {
        j.spec.service = {}
        j.spec.replicaSpecs[0].template.spec.containers[0].command = ['$(service.ps[0].host)']
      },
      'spec.replicaSpecs[0].template.spec.containers[0].command[0]: $(service.ps[0].host): the job has no replica type "ps", only worker',
    ],
    [
      'generic',
      (j) => {
        j.spec.service = {}
        j.spec.replicaSpecs[0].template.spec.containers[0].args = ['$(service.worker[2].host)']
      },
      'spec.replicaSpecs[0].template.spec.containers[0].args[0]: $(service.worker[2].host): worker has ranks 0 to 1',
    ],
    [
      'generic',
      (j) => {
        j.spec.service = { ports: [{ name: 'grpc', port: 1 }] }
        j.spec.replicaSpecs[0].template.spec.containers[0].env = [{ name: 'A', value: '$(service.port[grcp])' }]
      },
      'spec.replicaSpecs[0].template.spec.containers[0].env[0].value: $(service.port[grcp]): spec.service has no port "grcp"; did you mean grpc?',
    ],
    [
      'generic',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].args = ['$(replicas[ps])']
      },
      'spec.replicaSpecs[0].template.spec.containers[0].args[0]: $(replicas[ps]): the job has no replica type "ps", only worker',
    ],
    [
      'generic',
      (j) => {
        j.spec.service = { ports: [{ name: 'a', port: 1 }, { port: 2 }] }
      },
      'spec.service.ports[1]: needs a name: where there are several ports, each has one',
    ],
    [
      'tfjob',
      (j) => {
        j.spec.tfReplicaSpecs.Wroker = { template: template('tensorflow') }
      },
      'spec.tfReplicaSpecs.Wroker: "Wroker" is not one of Chief, Master, Worker, PS, Evaluator; did you mean Worker?',
    ],
    [
      'tfjob',
      (j) => {
        j.spec.tfReplicaSpecs.worker = { template: template('tensorflow') }
      },
      'spec.tfReplicaSpecs.worker: "worker" and "Worker" (line 30) are the same type; keep one',
    ],
    [
      'tfjob',
      (j) => {
        j.spec.cleanPodPolicy = 'All'
        j.spec.runPolicy = { cleanPodPolicy: 'None' }
      },
      'spec.runPolicy.cleanPodPolicy: "None" contradicts spec.cleanPodPolicy: All (line 30); both places mean the same, keep one',
    ],
    [
      'tfjob',
      (j) => {
        delete j.spec.tfReplicaSpecs.Worker.template.spec.containers[0].image
      },
      'spec.tfReplicaSpecs.Worker.template.spec.containers[0].image: is missing',
    ],
    [
      'tfjob',
      (j) => {
        j.spec.tfReplicaSpecs = { Chief: { replicas: 2, template: template('tensorflow') } }
      },
      'spec.tfReplicaSpecs.Chief.replicas: 2 is not 1; there is exactly one Chief',
    ],
    [
      'tensorboard',
      (j) => {
        j.spec.logDir = { pvc: [{ name: 'a', subPath: 3 }] }
      },
      'spec.logDir.pvc[0].subPath: 3 is neither a folder nor a list of folders',
    ],
    [
      'tensorboard',
      (j) => {
        j.spec.logDir = { pvc: [{ name: 'a', subPath: 'a', subpath: 'a' }] }
      },
      'spec.logDir.pvc[0].subpath: stands beside subPath (line 30); both spellings mean the same, keep one',
    ],
    [
      'tensorboard',
      (j) => {
        j.spec.suspend = false
        j.spec.runMode = 'paused'
      },
      'spec.runMode: "paused" contradicts suspend: false (line 30); keep suspend',
    ],
  ])('%s %#: %s', (base, bend, message) => {
    expect(said(base, bend)).toEqual([`error: ${message}`])
  })
})

describe('a doubt is a warning', () => {
  test.each<[string, (job: Loose) => void, string]>([
    [
      'pytorch',
      (j) => {
        j.spec.runPolicy = { backofLimit: 3 }
      },
      'spec.runPolicy.backofLimit: unknown field, it will be dropped; did you mean backoffLimit?',
    ],
    [
      'generic',
      (j) => {
        j.spec.activeDeadlineSeconds = 3
      },
      'spec.activeDeadlineSeconds: unknown field, it will be dropped',
    ],
    [
      'pytorch',
      (j) => {
        j.metadata.lables = {}
      },
      'metadata.lables: unknown field, it will be dropped; did you mean labels?',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.torchrunConfig = { minNodes: 1 }
      },
      'spec.torchrunConfig.minNodes: has no effect any more; see elastic.minReplicas',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.elastic = { enable: true, minReplicas: 1, maxReplicas: 2, expectedReplicas: 1 }
      },
      'spec.elastic: has no effect without torchrun (spec.torchrunConfig.enable); replicas holds',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.torchrunConfig = { enable: true }
        j.spec.replicaSpecs[0].template.spec.containers[0].command = ['python']
      },
      'spec.replicaSpecs[0].template.spec.containers[0].command: is ignored: torchrun runs args instead',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.restartPolicy = 'OnFailure'
      },
      'spec.replicaSpecs[0].template.spec.restartPolicy: has no effect: it is always set to Never, and a restart is a new pod',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].env = [{ name: 'RANK', value: '0' }]
      },
      'spec.replicaSpecs[0].template.spec.containers[0].env[0]: RANK is set by hand; the one the job would set is left out',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.runMode = { debug: { replicaSpecs: [{ type: 'ps' }] } }
      },
      'spec.runMode.debug.replicaSpecs[0].type: the job has no replicas of type "ps", only master, worker; this entry is ignored',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.runMode = { pause: { resumeSpecs: [{ type: 'ps' }] } }
      },
      'spec.runMode.pause.resumeSpecs[0].type: the job has no replicas of type "ps", only master, worker; this entry is ignored',
    ],
    [
      'pytorch',
      (j) => {
        delete j.spec.replicaSpecs[0].template.spec.containers[0].image
      },
      'spec.replicaSpecs[0].template.spec.containers[0]: container main has no image; its pod will be refused',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].volumeMounts = [{ name: 'data', mountPath: '/d' }]
      },
      'spec.replicaSpecs[0].template.spec.containers[0].volumeMounts[0].name: there is no volume "data"; a cluster will refuse the pod',
    ],
    [
      'pytorch',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.volumes = [{ name: 'keys', secret: {} }]
      },
      'spec.replicaSpecs[0].template.spec.volumes[0].secret.secretName: is missing; a cluster will refuse the pod',
    ],
    [
      'tensorflow',
      (j) => {
        j.spec.replicaSpecs[0].template.spec.containers[0].env = [{ name: 'TF_CONFIG', value: '{}' }]
      },
      'spec.replicaSpecs[0].template.spec.containers[0].env[0]: TF_CONFIG is set by hand; the one the job would set is left out',
    ],
    [
      'tfjob',
      (j) => {
        j.spec.tfReplicaSpecs.Worker.template.spec.containers[0].env = [{ name: 'TF_CONFIG', value: '{}' }]
      },
      'spec.tfReplicaSpecs.Worker.template.spec.containers[0].env[0]: TF_CONFIG is set by hand, but the one the job sets comes after it and wins',
    ],
    [
      'tfjob',
      (j) => {
        j.spec.runPolicy = { managedBy: 'kueue.x-k8s.io/multikueue' }
      },
      'spec.runPolicy.managedBy: this job is left to MultiKueue; Trainyard does not touch it',
    ],
    [
      'generic',
      (j) => {
        j.spec.runPolicy = { cleanUpPolicy: 'All' }
      },
      'spec.runPolicy.cleanUpPolicy: an old place for it; write spec.cleanUpPolicy',
    ],
    [
      'generic',
      (j) => {
        j.spec.service = {}
        j.spec.replicaSpecs[0].template.spec.containers[0].args = ['$(service.worker.host)']
      },
      'spec.replicaSpecs[0].template.spec.containers[0].args[0]: $(service.worker.host) is none of our references and is left as it is; they are $(replicas[TYPE]), $(service.TYPE[RANK].host), $(service.port[NAME])',
    ],
  ])('%s %#: %s', (base, bend, message) => {
    expect(said(base, bend)).toEqual([`warning: ${message}`])
  })
})

test('generateName is measured with what the server adds', () => {
  const job = bases.pytorch!()
  job.metadata = { generateName: 'a'.repeat(44) }
  const { object, issues } = validate(job)
  expect(issues.map((issue) => pathText(issue.path))).toEqual(['metadata.generateName'])
  expect((object as Loose).metadata).toEqual(job.metadata)
  job.metadata.generateName = 'run-'
  expect(validate(job).issues).toEqual([])
})

test.each([null, [], 'job', 3, true, undefined])('%j is no manifest', (value) => {
  expect(validate(value).issues).toHaveLength(1)
})

test('other things in the same file are let through', () => {
  expect(validate({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'code' }, data: {} }).issues).toEqual([])
  expect(validate({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'x' } }).issues).toEqual([])
  expect(validate({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Code' } }).issues).toMatchObject([
    { path: ['metadata', 'name'] },
  ])
  expect(validate({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' } }).issues).toMatchObject([
    { severity: 'warning' },
  ])
})

test('the object comes back as an API server would store it', () => {
  expect(validate(bases.generic!()).object).toMatchObject({
    spec: {
      restartScope: 'Replica',
      replicaSpecs: [{ replicas: 2, restartPolicy: { policy: 'OnFailure', limit: 0 } }],
    },
  })
  const stored = validate(bases.pytorch!()).object as Loose
  expect(stored.spec.runPolicy).toEqual({ backoffLimit: 3, cleanUpPolicy: 'None', restartScope: 'Replica' })
  expect(stored.spec).not.toHaveProperty('runMode')
})

test('what changed is named to the very field', () => {
  const old = bases.pytorch!()
  const next = bases.pytorch!()
  next.spec.replicaSpecs[1].template.spec.containers[0].image = 'j'
  expect(validate(next, { old }).issues).toMatchObject([
    {
      path: ['spec', 'replicaSpecs', 1, 'template', 'spec', 'containers', 0, 'image'],
      message: 'may not change after creation: "i" was stored, "j" is asked for',
      reason: 'FieldValueForbidden',
    },
  ])
})
