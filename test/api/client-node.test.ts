import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as k8s from '@kubernetes/client-node'
import { expect, onTestFinished, test, vi } from 'vitest'
import clientPackage from '../../node_modules/@kubernetes/client-node/package.json' with { type: 'json' }
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { startTestServer } from '../server/client.ts'
import { noteFigure } from './figures.ts'

const namespace = 'default'
const path = '/api/v1/namespaces/default/configmaps'

function connect(kubeconfig: string): { config: k8s.KubeConfig; core: k8s.CoreV1Api } {
  const config = new k8s.KubeConfig()
  config.loadFromFile(kubeconfig)
  return { config, core: config.makeApiClient(k8s.CoreV1Api) }
}

const map = (name: string, data: Record<string, string> = {}): k8s.V1ConfigMap => ({ metadata: { name }, data })

/** Patches of a kind are told by their media type. */
const as = (strategy: k8s.PatchStrategy) => k8s.setHeaderOptions('Content-Type', strategy)

/** All an informer tells, in its order; it is started again after an error, as its manual asks one to. */
function inform(config: k8s.KubeConfig, core: k8s.CoreV1Api): { seen: string[]; start: () => Promise<void> } {
  const informer = k8s.makeInformer<k8s.V1ConfigMap>(config, path, () => core.listNamespacedConfigMap({ namespace }))
  const seen: string[] = []
  for (const verb of ['add', 'update', 'delete'] as const)
    informer.on(verb, (object) => seen.push(`${verb} ${object.metadata?.name} ${object.data?.k ?? ''}`))
  let timer: NodeJS.Timeout | undefined
  // Every failure is told here, that of a start too.
  informer.on('error', () => {
    timer = setTimeout(() => informer.start(), 100)
  })
  onTestFinished(async () => {
    clearTimeout(timer)
    await informer.stop()
  })
  return { seen, start: () => informer.start() }
}

test('an informer tells of what is there, comes, changes and goes', { timeout: 120_000 }, async () => {
  const { server } = await startTestServer()
  const { config, core } = connect(server.kubeconfigPath)
  await core.createNamespacedConfigMap({ namespace, body: map('first', { k: '1' }) })
  const { seen, start } = inform(config, core)
  await start()
  await core.createNamespacedConfigMap({ namespace, body: map('second', { k: '1' }) })
  await core.replaceNamespacedConfigMap({ namespace, name: 'second', body: map('second', { k: '2' }) })
  await core.deleteNamespacedConfigMap({ namespace, name: 'first' })
  await vi.waitFor(() => expect(seen).toHaveLength(4), { timeout: 60_000 })
  expect(seen).toEqual(['add first 1', 'add second 1', 'update second 2', 'delete first 1'])
})

test('an informer goes on after the server was restarted', { timeout: 180_000 }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-client-node-'))
  const running: { server?: RunningServer } = {}
  onTestFinished(async () => {
    await running.server?.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  running.server = await startServer({ dir })
  const { url, kubeconfigPath } = running.server
  const { config, core } = connect(kubeconfigPath)
  await core.createNamespacedConfigMap({ namespace, body: map('kept', { k: '1' }) })
  await core.createNamespacedConfigMap({ namespace, body: map('dropped', { k: '1' }) })
  const { seen, start } = inform(config, core)
  await start()
  await vi.waitFor(() => expect(seen.toSorted()).toEqual(['add dropped 1', 'add kept 1']), { timeout: 60_000 })
  await running.server.stop()
  // The same address, token and certificate; changed before the informer can be back.
  running.server = await startServer({ dir, port: Number(new URL(url).port) })
  await core.deleteNamespacedConfigMap({ namespace, name: 'dropped' })
  await core.replaceNamespacedConfigMap({ namespace, name: 'kept', body: map('kept', { k: '2' }) })
  await core.createNamespacedConfigMap({ namespace, body: map('fresh', { k: '1' }) })
  const wanted = ['delete dropped 1', 'update kept 2', 'add fresh 1']
  await vi.waitFor(() => expect(seen).toEqual(expect.arrayContaining(wanted)), { timeout: 120_000, interval: 100 })
  // Nothing is told twice that has happened once.
  for (const line of wanted) expect(seen.filter((one) => one === line)).toHaveLength(1)
})

test('lists come in pages', async () => {
  const { server } = await startTestServer()
  const { core } = connect(server.kubeconfigPath)
  for (const name of ['a', 'b', 'c', 'd', 'e']) await core.createNamespacedConfigMap({ namespace, body: map(name) })
  const pages: Array<Array<string | undefined>> = []
  let token: string | undefined
  do {
    const list = await core.listNamespacedConfigMap({ namespace, limit: 2, ...(token ? { _continue: token } : {}) })
    pages.push(list.items.map((item) => item.metadata?.name))
    token = list.metadata?._continue
  } while (token)
  expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test('every kind of patch, and an error that can be read', async () => {
  const { server } = await startTestServer()
  const { core } = connect(server.kubeconfigPath)
  await core.createNamespacedConfigMap({ namespace, body: map('m', { a: '1', b: '1' }) })
  const patch = async (strategy: k8s.PatchStrategy, body: unknown, more: { force?: boolean } = {}) =>
    (await core.patchNamespacedConfigMap({ namespace, name: 'm', body, fieldManager: 'me', ...more }, as(strategy)))
      .data
  const { JsonPatch, MergePatch, ServerSideApply, StrategicMergePatch } = k8s.PatchStrategy
  expect(await patch(JsonPatch, [{ op: 'replace', path: '/data/a', value: '2' }])).toEqual({ a: '2', b: '1' })
  expect(await patch(MergePatch, { data: { b: null } })).toEqual({ a: '2' })
  expect(await patch(StrategicMergePatch, { data: { c: '3' } })).toEqual({ a: '2', c: '3' })
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: '4' } }
  await expect(patch(ServerSideApply, applied)).rejects.toMatchObject({ code: 409 })
  expect(await patch(ServerSideApply, applied, { force: true })).toEqual({ a: '4', c: '3' })
  await expect(core.readNamespacedConfigMap({ namespace, name: 'none' })).rejects.toMatchObject({ code: 404 })
  noteFigure(`client-node ${clientPackage.version} informers`)
})
