import { expect, test } from 'vitest'
import type { KubeClient } from '../../kube/index.ts'
import { findControllers } from './others.ts'

function deployment(name: string, image: string, more: object = {}): object {
  const spec = { replicas: 1, template: { spec: { containers: [{ name: 'c', image }] } } }
  return { metadata: { namespace: 'n', name }, spec: { ...spec, ...more } }
}

function projectsIn(...items: object[]): Promise<string[]> {
  const client = { list: async () => ({ items, resourceVersion: '1' }) } as unknown as KubeClient
  return findControllers(client).then((found) => found.map(({ name, project }) => `${project} ${name}`))
}

test.each([
  ['training-operator', 'kubeflow/training-operator:v1-5170a36', 'Kubeflow training-operator'],
  ['tf-job-operator', 'example/tf_operator:v1', 'Kubeflow tf-job-operator'],
  ['other-name', 'example/training-operator@sha256:00', 'Kubeflow other-name'],
  ['pytorchtrainingjob-controller', 'example/x', 'T9k pytorchtrainingjob-controller'],
  ['t9k-job-controller', 'example/x', 'T9k t9k-job-controller'],
  ['generic-job-controller-manager', 'example/x', 'T9k generic-job-controller-manager'],
])('%s of %s is found', async (name, image, found) => {
  expect(await projectsIn(deployment(name, image))).toEqual([found])
})

test.each([
  ['training-dashboard', 'example/training:1'],
  ['my-operator', 'example/nginx-operator:1'],
  ['kubeflow-trainer-controller-manager', 'example/trainer:2'],
])('%s is somebody else', async (name, image) => {
  expect(await projectsIn(deployment(name, image))).toEqual([])
})

test('what is scaled to nothing, and what is ours, is not in the way', async () => {
  const ours = deployment('training-operator', 'x') as { metadata: object }
  ours.metadata = { ...ours.metadata, labels: { 'app.kubernetes.io/name': 'trainyard' } }
  expect(await projectsIn(deployment('training-operator', 'x', { replicas: 0 }), ours)).toEqual([])
})
