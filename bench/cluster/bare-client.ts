// The limit: a client that makes only the writes its jobs need, and nothing else. It creates their Services (one per replica
// for a TFJob, as its contract asks) and pods, and says Running once and Succeeded once. It checks nothing, tells no events
// and would not survive any trouble.
// With PLANS it sends the objects that our operator would, which are larger: what planned-objects.ts has written.
// usage: node bare-client.js SERVER CA CERT KEY NAMESPACE [PLANS]
import { readFileSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:https'
import type { PlannedObjects } from './planned-objects.ts'

const [server = '', ca = '', cert = '', key = '', namespace = '', plansFile] = process.argv.slice(2)
const { hostname, port } = new URL(server)
const tls = { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) }
const writes = new Agent({ keepAlive: true, maxSockets: 32, ...tls })
const watches = new Agent({ keepAlive: true, ...tls })

interface Template {
  spec: object
}

interface Job {
  apiVersion: string
  kind: string
  metadata: { name: string; uid: string; resourceVersion: string }
  spec: {
    tfReplicaSpecs?: Record<string, { replicas: number; template: Template }>
    replicaSpecs?: { type: string; replicas: number; template: Template }[]
  }
}

interface Pod {
  metadata: { name: string; resourceVersion: string; ownerReferences?: { name: string }[] }
  status: { phase: string }
}

interface Known {
  path: string
  running: Set<string>
  done: boolean
}

const jobs = new Map<string, Known>()
const plans: PlannedObjects | undefined = plansFile && JSON.parse(readFileSync(plansFile, 'utf8'))

function send(method: string, path: string, body?: object | string, contentType = 'application/json'): Promise<string> {
  const options: RequestOptions = {
    agent: writes,
    hostname,
    port,
    method,
    path,
    headers: { 'content-type': contentType },
  }
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => {
        if ((answer.statusCode ?? 500) < 300) resolve(text)
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`))
      })
    })
    sent.on('error', reject)
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body)
  })
}

const post = (path: string, body: object | string): void => void send('POST', path, body).catch(console.error)

async function watch<T extends { metadata: { resourceVersion: string } }>(
  path: string,
  on: (type: string, object: T) => void,
): Promise<void> {
  const list = JSON.parse(await send('GET', `${path}?limit=1`)) as { metadata: { resourceVersion: string } }
  let version = list.metadata.resourceVersion
  const open = (): void => {
    const query = `?watch=1&allowWatchBookmarks=1&resourceVersion=${version}`
    const sent = request({ agent: watches, hostname, port, path: path + query }, (answer) => {
      // A kind that was defined a moment ago may not be watched yet.
      if (answer.statusCode !== 200) return void answer.resume().on('close', () => setTimeout(open, 100))
      let rest = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const { type, object } = JSON.parse(line) as { type: string; object: T }
          version = object.metadata.resourceVersion
          if (type !== 'BOOKMARK') on(type, object)
        }
      })
      answer.on('close', open)
    })
    sent.on('error', () => setTimeout(open, 100))
    sent.end()
  }
  open()
}

function start(job: Job, plural: string): void {
  const { apiVersion, kind, metadata, spec } = job
  const { name, uid } = metadata
  jobs.set(name, {
    path: `/apis/${apiVersion}/namespaces/${namespace}/${plural}/${name}/status`,
    running: new Set(),
    done: false,
  })
  if (plans) {
    const { placeholder, objects } = plans[plural]!
    for (const { path, text } of objects)
      post(
        `/api/v1/namespaces/${namespace}/${path}`,
        text.replaceAll(placeholder.name, name).replaceAll(placeholder.uid, uid),
      )
    return
  }
  const ownerReferences = [{ apiVersion, kind, name, uid, controller: true }]
  const labels = { job: name }
  const addService = (of: string): void =>
    post(`/api/v1/namespaces/${namespace}/services`, {
      metadata: { name: of, ownerReferences },
      spec: { clusterIP: 'None', selector: labels, ports: [{ port: 2222 }] },
    })
  const roles =
    spec.replicaSpecs ?? Object.entries(spec.tfReplicaSpecs ?? {}).map(([type, role]) => ({ type, ...role }))
  if (spec.replicaSpecs) addService(`${name}-peers`)
  for (const { type, replicas, template } of roles) {
    for (let index = 0; index < replicas; index++) {
      const pod = `${name}-${type.toLowerCase()}-${index}`
      if (spec.tfReplicaSpecs) addService(pod)
      post(`/api/v1/namespaces/${namespace}/pods`, {
        metadata: { name: pod, labels, ownerReferences },
        spec: { ...template.spec, restartPolicy: 'Never' },
      })
    }
  }
}

function tell(job: Known, phase: string): void {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const condition = { type: phase, status: 'True', reason: phase, message: phase, lastTransitionTime: now }
  const status = job.path.includes('tfjobs') ? { conditions: [condition], replicaStatuses: {} } : { phase }
  send('PATCH', job.path, { status }, 'application/merge-patch+json').catch(console.error)
}

for (const [group, plural] of [
  ['kubeflow.org/v1', 'tfjobs'],
  ['batch.tensorstack.dev/v1beta1', 'pytorchtrainingjobs'],
] as const)
  await watch<Job>(`/apis/${group}/${plural}`, (type, job) => {
    if (type === 'ADDED') start(job, plural)
  })
await watch<Pod>('/api/v1/pods', (_, { metadata, status }) => {
  const job = jobs.get(metadata.ownerReferences?.[0]?.name ?? '')
  if (!job || job.done) return
  if (status.phase === 'Running' && job.running.size < 4 && job.running.add(metadata.name).size === 4)
    tell(job, 'Running')
  if (status.phase !== 'Succeeded' || !/-(chief|master)-0$/.test(metadata.name)) return
  job.done = true
  tell(job, 'Succeeded')
})
console.log('ready')
