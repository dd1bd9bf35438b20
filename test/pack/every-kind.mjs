// Run by `npm run test:pack` where the package is installed, on the machine's own Node: each kind is checked, planned
// and rehearsed, so that nothing on the way needs a newer Node than the package asks for.
import assert from 'node:assert/strict'
import { InvalidManifestError, plan, rehearse, validate } from 'trainyard'

const pod = (name) => ({ spec: { containers: [{ name, image: 'busybox', command: ['train'] }] } })
const tfReplicaSpecs = {
  Chief: { replicas: 1, restartPolicy: 'ExitCode', template: pod('tensorflow') },
  Worker: { replicas: 2, restartPolicy: 'ExitCode', template: pod('tensorflow') },
}
const tensorstack = 'batch.tensorstack.dev/v1beta1'
const replicaSpecs = (container, restartPolicy = 'OnFailure') => [
  { type: 'chief', replicas: 1, restartPolicy, template: pod(container) },
  { type: 'worker', replicas: 2, restartPolicy, template: pod(container) },
]

const jobs = [
  { apiVersion: tensorstack, kind: 'TensorFlowTrainingJob', spec: { replicaSpecs: replicaSpecs('tensorflow') } },
  {
    apiVersion: tensorstack,
    kind: 'PyTorchTrainingJob',
    spec: { replicaSpecs: replicaSpecs('pytorch'), runPolicy: { cleanUpPolicy: 'unfinished' } },
  },
  {
    apiVersion: tensorstack,
    kind: 'GenericJob',
    spec: {
      successRules: [{ chief: [0] }],
      failureRules: [{ worker: [0, 1] }],
      replicaSpecs: replicaSpecs('main', { policy: 'OnFailure', limit: 3 }),
    },
  },
  { apiVersion: 'kubeflow.org/v1', kind: 'TFJob', spec: { tfReplicaSpecs } },
  { apiVersion: 'kubeflow.org/v1beta2', kind: 'TFJob', spec: { tfReplicaSpecs } },
]

for (const job of jobs) {
  const named = { ...job, metadata: { name: 'a' } }
  const { valid, documents } = validate(named)
  assert.ok(valid, JSON.stringify(documents))
  const pods = plan(named).objects.filter(({ kind }) => kind === 'Pod')
  assert.equal(pods.length, 3)
  const { phase, replicas } = rehearse(named, { events: [{ at: '20s', replica: 'worker-1', exit: 137 }] })
  const attempts = replicas.find(({ type, index }) => type === 'worker' && index === 1)?.attempts.length
  console.log(job.apiVersion, job.kind, phase, 'attempts of worker-1:', attempts)
  const wrong = { ...named, metadata: { name: 'Not A Name' } }
  assert.equal(validate(wrong).valid, false)
  assert.throws(() => plan(wrong), InvalidManifestError)
}
