import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBench } from './kubectl.ts'

const crds = join(import.meta.dirname, '../../deploy/crds')
const POD = `apiVersion: v1
kind: Pod
metadata:
  name: p
  labels:
    app: web
spec:
  containers:
  - name: c
    image: busybox
    ports:
    - containerPort: 80
`
const JOB = `apiVersion: batch.tensorstack.dev/v1beta1
kind: GenericJob
metadata:
  name: job
spec:
  successRules:
  - worker: [0]
  failureRules: []
  replicaSpecs:
  - type: worker
    replicas: 1
    template:
      spec:
        containers:
        - name: main
          image: none
          command: ["true"]
`

const ELASTIC = `apiVersion: batch.tensorstack.dev/v1beta1
kind: PyTorchTrainingJob
metadata:
  name: elastic
spec:
  elastic: {enabled: true, minReplicas: 1, maxReplicas: 4, expectedReplicas: 2}
  replicaSpecs:
  - type: worker
    template:
      spec:
        containers:
        - name: pytorch
          image: none
          command: ["true"]
`

test('get, describe and the ways to print', async () => {
  const { ok, kubectl } = await startBench()
  expect(await ok('apply -f -', POD)).toBe('pod/p created\n')
  expect(await ok('get pods')).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE\np +0\/1 +Pending +0 +\d+s\n$/)
  expect(await ok('get pods -o wide')).toContain('<none>')
  expect(await ok('get pod p -o name')).toBe('pod/p\n')
  expect(JSON.parse(await ok('get pod p -o json')).spec.containers[0].imagePullPolicy).toBe('Always')
  expect(await ok('get pod p -o yaml')).toContain('dnsPolicy: ClusterFirst')
  expect(await ok(`get pod p -o 'jsonpath={.spec.restartPolicy}'`)).toBe('Always')
  expect(await ok('get pods -o custom-columns=N:.metadata.name,P:.status.phase')).toMatch(/^N +P\np +Pending\n$/)
  expect(await ok('get pods --field-selector status.phase=Pending -o name')).toBe('pod/p\n')
  expect((await kubectl('get pods --field-selector status.phase=Running')).err).toContain('No resources found')
  expect(await ok('get pods -l app=web --show-labels')).toContain('app=web')
  expect(await ok('get all')).toContain('pod/p')
  expect(await ok('describe pod p')).toMatch(/Name: +p\n/)
  expect(await ok('get ns')).toContain('kube-system')
  const missing = await kubectl('get pod none')
  expect([missing.code, missing.err]).toEqual([1, 'Error from server (NotFound): pods "none" not found\n'])
})

test('apply: client-side, diff, server-side with conflicts and force', async () => {
  const { ok, kubectl } = await startBench()
  await ok('apply -f -', POD)
  expect(await ok('apply -f -', POD)).toBe('pod/p unchanged\n')
  expect(await ok('apply -f -', POD.replace('busybox', 'nginx'))).toBe('pod/p configured\n')
  const differs = await kubectl('diff -f -', { input: POD })
  expect(differs.code).toBe(1)
  expect(differs.out).toContain('busybox')
  expect(await ok('apply --server-side -f -', POD)).toBe('pod/p serverside-applied\n')
  const map = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\ndata:\n  k: "${value}"\n`
  await ok('apply --server-side --field-manager one -f -', map('1'))
  const conflict = await kubectl('apply --server-side --field-manager two -f -', { input: map('2') })
  expect(conflict.code).toBe(1)
  expect(conflict.err).toContain('Apply failed with 1 conflict: conflict with "one": .data.k')
  await ok('apply --server-side --field-manager two --force-conflicts -f -', map('2'))
  expect(await ok(`get cm m -o 'jsonpath={.data.k}'`)).toBe('2')
  const wrong = await kubectl('apply -f -', { input: POD.replace('image:', 'imagee:') })
  expect(wrong.code).toBe(1)
  expect(wrong.err).toContain('unknown field "spec.containers[0].imagee"')
})

test('create, label, annotate and every kind of patch', async () => {
  const { ok } = await startBench()
  expect(await ok('create ns team')).toBe('namespace/team created\n')
  expect(await ok('create configmap m -n team --from-literal=a=1')).toBe('configmap/m created\n')
  expect(await ok('create secret generic s -n team --from-literal=p=q')).toBe('secret/s created\n')
  expect(await ok(`get secret s -n team -o 'jsonpath={.data.p}'`)).toBe('cQ==')
  await ok('create service clusterip web -n team --tcp=80')
  await ok('create serviceaccount robot -n team')
  await ok('label cm m -n team tier=x')
  await ok('annotate cm m -n team note=hello')
  await ok(`patch cm m -n team -p '{"data":{"b":"2"}}'`)
  await ok(`patch cm m -n team --type merge -p '{"data":{"a":null}}'`)
  await ok(`patch cm m -n team --type json -p '[{"op":"add","path":"/data/c","value":"3"}]'`)
  const map = JSON.parse(await ok('get cm m -n team -o json'))
  expect(map.data).toEqual({ b: '2', c: '3' })
  expect(map.metadata).toMatchObject({ labels: { tier: 'x' }, annotations: { note: 'hello' } })
})

test('edit with a script for an editor', async () => {
  const { ok, kubectl, server } = await startBench()
  await ok('create configmap m --from-literal=a=before')
  const editor = join(server.dir, 'editor.sh')
  writeFileSync(editor, '#!/bin/sh\nsed -i s/before/after/ "$1"\n', { mode: 0o755 })
  const edited = await kubectl('edit cm m', { env: { EDITOR: editor, KUBE_EDITOR: editor } })
  expect(edited.code).toBe(0)
  expect(await ok(`get cm m -o 'jsonpath={.data.a}'`)).toBe('after')
})

test('delete with grace, cascades and waiting', async () => {
  const { ok, kubectl } = await startBench()
  await ok('apply -f -', POD)
  expect(await ok('delete pod p')).toContain('pod "p" deleted')
  expect((await kubectl('get pod p')).code).toBe(1)
  const owner = async (name: string): Promise<string> => {
    await ok(`create configmap ${name} --from-literal=a=1`)
    return ok(`get cm ${name} -o 'jsonpath={.metadata.uid}'`)
  }
  const child = (name: string, of: string, uid: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  ownerReferences:\n  - {apiVersion: v1, kind: ConfigMap, name: ${of}, uid: ${uid}, blockOwnerDeletion: true}\n`
  await ok('apply -f -', child('kept', 'o1', await owner('o1')))
  await ok('delete cm o1 --cascade=orphan')
  expect(await ok(`get cm kept -o 'jsonpath={.metadata.ownerReferences}'`)).toBe('')
  await ok('apply -f -', child('gone', 'o2', await owner('o2')))
  await ok('delete cm o2 --cascade=foreground')
  expect((await kubectl('get cm gone')).code).toBe(1)
  await ok('create ns short')
  await ok('create configmap inside -n short --from-literal=a=1')
  await ok('delete ns short')
  expect((await kubectl('get ns short')).code).toBe(1)
})

test('our kinds: explain, columns, scale, wait, status', async () => {
  const { ok, kubectl } = await startBench()
  await ok(`apply --server-side -f ${crds}`)
  await ok('wait crd --all --for=condition=Established --timeout=20s')
  expect(readdirSync(crds).length).toBeGreaterThan(3)
  expect(await ok('explain genericjob.spec.replicaSpecs')).toMatch(/GROUP: +batch.tensorstack.dev/)
  expect(await ok('explain pod.spec.containers.ports')).toContain('containerPort')
  expect(await ok('api-resources')).toContain('genericjobs')
  expect(await ok('api-versions')).toContain('kubeflow.org/v1')
  await ok('apply -f -', JOB)
  expect(await ok('get genericjobs')).toContain('job')
  const refused = await kubectl('apply -f -', { input: JOB.replace('replicas: 1', 'replicas: many') })
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('spec.replicaSpecs[0].replicas')
  const waiting = kubectl(`wait genericjob/job --for=jsonpath={.status.phase}=Succeeded --timeout=20s`)
  await ok(`patch genericjob job --subresource=status --type merge -p '{"status":{"phase":"Succeeded"}}'`)
  expect((await waiting).code).toBe(0)
  await ok('apply -f -', ELASTIC)
  await ok('scale pytorchtrainingjob/elastic --replicas=3')
  expect(await ok(`get pytorchtrainingjob elastic -o 'jsonpath={.spec.elastic.expectedReplicas}'`)).toBe('3')
})

test('watching, events, raw access and permissions', async () => {
  const { ok, kubectl } = await startBench()
  await ok('create configmap m --from-literal=a=1')
  const watching = kubectl('get cm m -w --request-timeout=3s')
  await ok('label cm m seen=yes')
  expect((await watching).out.split('\n')[0]).toMatch(/^NAME +DATA +AGE/)
  expect(await ok('get --raw /readyz')).toBe('ok')
  expect(JSON.parse(await ok('get --raw /api/v1/namespaces/default')).kind).toBe('Namespace')
  expect(await ok('auth can-i create pods')).toBe('yes\n')
  expect(await ok('auth whoami')).toContain('trainyard')
  expect((await kubectl('events')).err).toContain('No events found')
  expect(await ok('version')).toContain('Server Version: v1.37')
})
