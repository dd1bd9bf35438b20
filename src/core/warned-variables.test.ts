// Who sets a variable by hand that the job sets too is told so: in the containers where the job does, and nowhere else.
import { expect, test } from 'vitest'
import type { Pod } from '../../gen/kubernetes-types.ts'
import type { TrainingJob } from '../api/types.ts'
import { validate } from '../api/validate.ts'
import { buildPlan } from './plan.ts'
import { read } from './read.ts'

const t9k = 'batch.tensorstack.dev/v1beta1'
const elastic = { enable: true, minReplicas: 1, maxReplicas: 2, expectedReplicas: 2 }
const torchrunConfig = { enable: true }

type Template = { spec: { containers: object[] } }

const typed = (template: Template, more: object = {}) => ({ replicaSpecs: [{ type: 'worker', template }], ...more })
const keyed = (template: Template, replicas: number) => ({ tfReplicaSpecs: { Worker: { replicas, template } } })

const templateWith = (env: object): Template => ({
  spec: {
    containers: [
      { name: 'side', image: 'i', ...env },
      { name: 'python', image: 'i', args: ['train.py'], ...env },
      { name: 'tensorflow', image: 'i', ...env },
    ],
  },
})

test.each([
  ['PyTorchTrainingJob', t9k, (t: Template) => typed(t)],
  ['PyTorchTrainingJob', t9k, (t: Template) => typed(t, { torchrunConfig })],
  ['PyTorchTrainingJob', t9k, (t: Template) => typed(t, { torchrunConfig, elastic })],
  ['PyTorchTrainingJob', t9k, (t: Template) => typed(t, { torchrunConfig, runMode: { debug: { enable: true } } })],
  ['TensorFlowTrainingJob', t9k, (t: Template) => typed(t)],
  ['TFJob', 'kubeflow.org/v1beta2', (t: Template) => keyed(t, 1)],
  ['TFJob', 'kubeflow.org/v1', (t: Template) => keyed(t, 1)],
  ['TFJob', 'kubeflow.org/v1', (t: Template) => keyed(t, 2)],
])('%s %s %s', (kind, apiVersion, specOf) => {
  const jobWith = (env: object) => {
    const job = { apiVersion, kind, metadata: { name: 'job', uid: 'u' }, spec: specOf(templateWith(env)) }
    return read(validate(job).object as TrainingJob)
  }
  const pod = buildPlan(jobWith({})).find((object) => object.kind === 'Pod') as Pod
  const set = pod.spec!.containers.flatMap(({ env = [] }, i) => env.map(({ name }) => `${i} ${name}`))
  const env = [...new Set(set.map((one) => one.split(' ')[1]!)), 'RANK', 'TF_CONFIG']
  const byHand = jobWith({ env: [...new Set(env)].map((name) => ({ name, value: 'x' })) })
  const told = byHand.warnings
    .filter(({ message }) => message.includes('set by hand'))
    .map(({ path, message }) => `${path.at(-3)} ${message.split(' ')[0]}`)
  expect(told.sort()).toEqual(set.sort())
})
