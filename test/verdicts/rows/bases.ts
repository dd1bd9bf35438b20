import type { KubeObject } from './row.ts'

const BATCH = 'batch.tensorstack.dev/v1beta1'

const template = (container: string): KubeObject => ({
  spec: { containers: [{ name: container, image: 'i', args: ['a.py'] }] },
})

export const pytorch: KubeObject = {
  apiVersion: BATCH,
  kind: 'PyTorchTrainingJob',
  metadata: { name: 'job' },
  spec: {
    replicaSpecs: [
      { type: 'master', template: template('main') },
      { type: 'worker', replicas: 3, restartPolicy: 'OnFailure', template: template('main') },
    ],
  },
}

export const tensorflow: KubeObject = {
  apiVersion: BATCH,
  kind: 'TensorFlowTrainingJob',
  metadata: { name: 'job' },
  spec: {
    replicaSpecs: [
      { type: 'chief', template: template('tensorflow') },
      { type: 'ps', replicas: 2, template: template('tensorflow') },
    ],
  },
}

export const generic: KubeObject = {
  apiVersion: BATCH,
  kind: 'GenericJob',
  metadata: { name: 'job' },
  spec: {
    successRules: [{ worker: [0] }],
    failureRules: [{ worker: ['1'] }],
    replicaSpecs: [{ type: 'worker', replicas: 2, template: template('main') }],
  },
}

export const tfjob: KubeObject = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'TFJob',
  metadata: { name: 'job' },
  spec: {
    tfReplicaSpecs: {
      Worker: { replicas: 2, template: template('tensorflow') },
      PS: { template: template('tensorflow') },
    },
  },
}

export const tfjobBeta: KubeObject = { ...tfjob, apiVersion: 'kubeflow.org/v1beta2' }

export const podgroup: KubeObject = {
  apiVersion: 'scheduler.tensorstack.dev/v1beta1',
  kind: 'PodGroup',
  metadata: { name: 'group' },
  spec: { minMember: 2 },
}

export const queue: KubeObject = {
  apiVersion: 'scheduler.tensorstack.dev/v1beta1',
  kind: 'Queue',
  metadata: { name: 'queue' },
  spec: { quota: { requests: { cpu: 4, memory: '200Gi' } } },
}

export const tensorboard: KubeObject = {
  apiVersion: 'tensorstack.dev/v1beta1',
  kind: 'TensorBoard',
  metadata: { name: 'board' },
  spec: { trainingLogFilesets: ['t9k://pvc/a/b'] },
}
