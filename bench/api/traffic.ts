// What is asked of both servers alike.
import { call, type Subject } from './subject.ts'

export const CLIENTS = 8
const NAMESPACE = 'bench'
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`

interface Pod {
  metadata: { name: string; resourceVersion?: string; labels?: Record<string, string> }
}

/** A pod of the size training jobs have. */
function buildPod(name: string): Pod & Record<string, unknown> {
  const env = Array.from({ length: 10 }, (_, i) => ({ name: `VARIABLE_${i}`, value: `a value of some length ${i}` }))
  const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } }
  const container = { name: 'train', image: 'train:1', command: ['python', 'train.py'], env, resources }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'bench', turn: '0' } },
    spec: { restartPolicy: 'Never', automountServiceAccountToken: false, containers: [container] },
  }
}

/** Where there is no controller nobody makes the account that pods are refused without. */
export async function prepareNamespace(subject: Subject): Promise<void> {
  const make = (path: string, kind: string, name: string): Promise<string> =>
    call(subject, { method: 'POST', path, body: { apiVersion: 'v1', kind, metadata: { name } } })
  await make('/api/v1/namespaces', 'Namespace', NAMESPACE)
  await make(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, 'ServiceAccount', 'default').catch((error: Error) => {
    if (!error.message.includes('409')) throw error
  })
}

/** Per second, with all clients at work; each waits for its answer before it asks again. */
async function rate(total: number, work: (n: number, client: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (next < total) await work(next++, client)
    }),
  )
  return (total * 1000) / (performance.now() - start)
}

export function createPods(subject: Subject, round: string, count: number): Promise<number> {
  return rate(count, (n) => call(subject, { method: 'POST', path: PODS, body: buildPod(`pod-${round}-${n}`) }))
}

/** Each client changes a pod of its own, from the state its last write was answered with. */
export async function updatePods(subject: Subject, round: string, count: number): Promise<number> {
  const own = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const body = buildPod(`own-${round}-${client}`)
      return JSON.parse(await call(subject, { method: 'POST', path: PODS, body })) as Pod
    }),
  )
  return rate(count, async (n, client) => {
    const pod = own[client] as Pod
    pod.metadata.labels = { app: 'bench', turn: String(n) }
    const path = `${PODS}/${pod.metadata.name}`
    own[client] = JSON.parse(await call(subject, { method: 'PUT', path, body: pod })) as Pod
  })
}

export interface ListTime {
  ms: number
  items: number
  megabytes: number
}

export async function listPods(subject: Subject): Promise<ListTime> {
  const start = performance.now()
  const text = await call(subject, { method: 'GET', path: PODS })
  const ms = performance.now() - start
  return { ms, items: (JSON.parse(text) as { items: unknown[] }).items.length, megabytes: text.length / 1e6 }
}
