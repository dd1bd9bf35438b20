// The charts: what Helm makes of them, and what a genuine apiserver says to it.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PodTemplateSpec } from '../../../gen/kubernetes-types.ts'
import { buildInstallation } from '../../../src/cli/cluster/installation/build-installation.ts'
import { findResource } from '../../../src/cli/run/find-resource.ts'
import { KubeClient, type KubeObject, loadConnection, NAMESPACES, PODS } from '../../../src/kube/index.ts'
import { realCluster } from '../../real-cluster.ts'
import { CHARTS, helm, provideHelm, render } from './helm.ts'

const MINUTES = 60_000
const VARIANTS: Record<string, string[]> = {
  'the usual values': [],
  'one namespace': ['watchNamespace=default', 'replicas=1', 'takeOver={TFJob,GenericJob}'],
  'everything said': [
    'gangScheduler=volcano,workers=4,requests=8,leaseDuration=5s,forceDeleteAfter=0,clusterDomain=lab.example,logLevel=debug',
    'rbac.userRoles=true,metrics.port=9090,priorityClassName=high,imagePullSecrets[0].name=pull',
    'podLabels.team=ml,podAnnotations.a=b,nodeSelector.disk=ssd,serviceAccount.annotations.role=x',
    'tolerations[0].operator=Exists,affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key=metadata.name,affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator=In,affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values={n}',
  ],
}
const namespace = `chart-${randomBytes(3).toString('hex')}`
const warnings: string[] = []
let client: KubeClient

beforeAll(async () => {
  await provideHelm()
  const connection = await loadConnection({ kubeconfig: realCluster().kubeconfig })
  client = new KubeClient(connection, { onWarning: (text) => warnings.push(text) })
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' }
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } })
}, 20 * MINUTES)
afterAll(async () => {
  await client.delete(NAMESPACES, { name: namespace })
  await client.close()
})

test.each(['trainyard', 'trainyard-crds'])('helm has nothing to say against %s', async (chart) => {
  expect(await helm('lint', '--strict', join(CHARTS, chart))).toContain('0 chart(s) failed')
})

test.each(Object.entries(VARIANTS))('the apiserver accepts %s, strictly', async (_, values) => {
  const objects = await render('trainyard', namespace, values)
  expect(objects.length).toBeGreaterThan(6)
  warnings.length = 0
  for (const object of objects) await tryOut(object)
  // Such as that pods of the Deployment would violate the Pod Security standard.
  expect(warnings).toEqual([])
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as unknown as Templated
  await tryOut(podOf(deployment.spec.template))
})

test('the apiserver accepts the kinds, strictly', async () => {
  const objects = await render('trainyard-crds', namespace)
  expect(objects.map(({ kind }) => kind)).toEqual(Array(7).fill('CustomResourceDefinition'))
  for (const object of objects) await tryOut(object)
})

test('kinds that somebody else looks after can be left out, if they are written right', async () => {
  const objects = await render('trainyard-crds', namespace, ['leaveOut={tfjobs,queues}'])
  const names = objects.map(({ metadata }) => metadata.name)
  expect(names).toHaveLength(5)
  expect(names).not.toContain('tfjobs.kubeflow.org')
  await expect(render('trainyard-crds', namespace, ['leaveOut={tfjob}'])).rejects.toThrow(
    'leaveOut: tfjob is none of the kinds',
  )
})

test.each([
  ['the usual values', [], {}],
  ['one namespace', ['watchNamespace=a'], { watchNamespace: 'a' }],
  ['one replica and a kind taken over', ['replicas=1', 'takeOver={TFJob}'], { replicas: 1, takeOver: ['TFJob'] }],
] as const)('with %s the chart makes what trainyard install makes', async (_, values, options) => {
  const image = `trainyard:${(await render('trainyard', 'n')).map(versionOf).find(Boolean)}`
  const { objects } = buildInstallation({ namespace: 'n', image, replicas: 2, takeOver: [], ...options })
  const fromChart = await render('trainyard', 'n', values)
  expect(byName(fromChart.map(plain))).toEqual(byName(objects.map(plain)))
})

interface Templated {
  spec: { template: PodTemplateSpec }
}

async function tryOut(object: KubeObject): Promise<void> {
  const resource = (await findResource(client, object.apiVersion, object.kind))!
  const { name = '', namespace: within } = object.metadata
  const at = { name, ...(resource.namespaced && { namespace: within ?? namespace }) }
  const options = { dryRun: true, fieldManager: 'test', force: true, fieldValidation: 'Strict' } as const
  await client.patch(resource, at, { type: 'apply', body: object }, options)
}

function podOf({ metadata, spec }: PodTemplateSpec): KubeObject {
  // An account and a class that are not there in a dry run are not what this is about.
  const { serviceAccountName: _, priorityClassName: __, ...rest } = spec!
  return {
    apiVersion: 'v1',
    kind: PODS.kind,
    metadata: { ...metadata, namespace, name: 'p' },
    spec: rest,
  } as KubeObject
}

function versionOf({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.['app.kubernetes.io/version']
}

/** Without the labels that only Helm has. */
function plain(object: KubeObject): KubeObject {
  const { labels, ...metadata } = object.metadata
  const ours = Object.entries(labels ?? {}).filter(([key]) => /^app.kubernetes.io\/(name|component)$/.test(key))
  return { ...object, metadata: { ...metadata, labels: Object.fromEntries(ours) } }
}

function byName(objects: KubeObject[]): Record<string, KubeObject> {
  return Object.fromEntries(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]))
}
