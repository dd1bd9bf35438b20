// A home that plays two nodes of four CPUs each, with real processes, and short ways to put queues and jobs into it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { Event, Pod } from '../../gen/kubernetes-types.ts'
import type { PodGroup, Queue } from '../../src/api/queue/queue-object.ts'
import type { JobStatus } from '../../src/api/types.ts'
import {
  EVENTS,
  isNotFound,
  KubeClient,
  type KubeObject,
  loadConnection,
  PODS,
  type Resource,
} from '../../src/kube/index.ts'
import { type Home, startHome } from '../../src/main/home/home.ts'
import { POD_GROUPS, QUEUES } from '../../src/scheduler/facts/resources.ts'

type Job = KubeObject & { spec: object; status?: JobStatus }
const JOBS: Resource<Job> = {
  group: 'batch.tensorstack.dev',
  version: 'v1beta1',
  plural: 'pytorchtrainingjobs',
  kind: 'PyTorchTrainingJob',
  namespaced: true,
}
/** Far more than a slow machine needs: what is waited for is a state, and only what never comes fails. */
const PATIENCE = { timeout: 100_000, interval: 50 }

export interface JobWish {
  queue: string
  replicas?: number
  cpu?: number
  /** Run by a shell in every replica. */
  script: string
  priority?: number
}

export class HomeWithQueues {
  readonly dir = mkdtempSync(join(tmpdir(), 'trainyard-queues-'))
  #home!: Home
  #client!: KubeClient

  get client(): KubeClient {
    return this.#client
  }

  async start(): Promise<void> {
    const plan = { nodes: 2, capacity: { cpu: '4', memory: '64Gi' } }
    this.#home = await startHome({ dir: join(this.dir, 'home'), plan, log: () => {} })
    this.#client = new KubeClient(await loadConnection({ kubeconfig: this.#home.kubeconfigPath }))
  }

  async stop(): Promise<void> {
    const { items } = await this.#client.list(JOBS)
    for (const { metadata } of items) await this.remove(metadata.name ?? '')
    for (const { metadata } of (await this.#client.list(PODS)).items) {
      const gone = this.#client.delete(PODS, { namespace: metadata.namespace, name: metadata.name ?? '' })
      // Pods of a job go with it, perhaps just now.
      await gone.catch((error) => expect(isNotFound(error), String(error)).toBe(true))
    }
    await this.until('every process is gone', async () => {
      expect((await this.#client.list(PODS)).items).toHaveLength(0)
    })
    await this.#client.close()
    await this.#home.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  async restart(): Promise<void> {
    await this.#client.close()
    await this.#home.stop()
    await this.start()
  }

  async until<T>(what: string, look: () => Promise<T>): Promise<T> {
    try {
      return await vi.waitFor(look, PATIENCE)
    } catch (cause) {
      throw new Error(`waited in vain: ${what}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  }

  async queue(name: string, spec: object = {}): Promise<void> {
    const metadata = { name, namespace: 't9k-system' }
    await this.#client.create(QUEUES, {
      apiVersion: 'scheduler.tensorstack.dev/v1beta1',
      kind: 'Queue',
      metadata,
      spec,
    })
  }

  async changeQueue(name: string, spec: object): Promise<void> {
    await this.#client.patch(QUEUES, { namespace: 't9k-system', name }, { type: 'merge', body: { spec } })
  }

  async dropQueue(name: string): Promise<void> {
    await this.#client.delete(QUEUES, { namespace: 't9k-system', name })
  }

  queueNow(name: string): Promise<Queue> {
    return this.#client.get(QUEUES, { namespace: 't9k-system', name })
  }

  async submit(name: string, { queue, replicas = 1, cpu = 1, script, priority }: JobWish): Promise<void> {
    const container = { name: 'c', image: 'none', command: ['sh', '-c', script], resources: { requests: { cpu } } }
    const template = { spec: { terminationGracePeriodSeconds: 1, containers: [container] } }
    const spec = {
      scheduler: { t9kScheduler: { queue, ...(priority !== undefined && { priority }) } },
      replicaSpecs: [{ type: 'worker', replicas, restartPolicy: 'Never', template }],
    }
    const metadata = { name, namespace: 'default' }
    await this.#client.create(JOBS, { apiVersion: 'batch.tensorstack.dev/v1beta1', kind: JOBS.kind, metadata, spec })
  }

  /** A pod of a group that no job looks after. */
  async pod(name: string, group: string, { cpu, node, script }: { cpu: number; node?: string; script: string }) {
    const labels = { 'scheduler.tensorstack.dev/group-name': group }
    const container = { name: 'c', image: 'none', command: ['sh', '-c', script], resources: { requests: { cpu } } }
    const spec = {
      ...{ schedulerName: 't9k-scheduler', restartPolicy: 'Never', terminationGracePeriodSeconds: 1 },
      ...{ nodeName: node, containers: [container] },
    }
    const metadata = { name, namespace: 'default', labels }
    await this.#client.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata, spec })
  }

  job(name: string): Promise<Job> {
    return this.#client.get(JOBS, { namespace: 'default', name })
  }

  async changeJob(name: string, body: object): Promise<void> {
    await this.#client.patch(JOBS, { namespace: 'default', name }, { type: 'merge', body })
  }

  async remove(name: string): Promise<void> {
    await this.#client.delete(JOBS, { namespace: 'default', name }, { propagationPolicy: 'Background' })
  }

  group(name: string): Promise<PodGroup> {
    return this.#client.get(POD_GROUPS, { namespace: 'default', name })
  }

  async podsOf(job: string): Promise<Pod[]> {
    const { items } = await this.#client.list(PODS, { labelSelector: `tensorstack.dev/owner-name=${job}` })
    return items
  }

  async eventsOn(name: string): Promise<Event[]> {
    const { items } = await this.#client.list(EVENTS, { namespace: 'default' })
    return items.filter(({ involvedObject }) => involvedObject.name === name)
  }

  /** Until an event tells it. */
  async toldOn(namespace: string, name: string, reason: string, words: RegExp): Promise<void> {
    await this.until(`an event ${reason} on ${name}`, async () => {
      const { items } = await this.#client.list(EVENTS, { namespace })
      const told = items.filter(({ involvedObject }) => involvedObject.name === name)
      const matching = told.filter((event) => event.reason === reason).map(({ message }) => message)
      expect(matching).toEqual([expect.stringMatching(words)])
    })
  }

  phase(name: string, phase: string): Promise<Job> {
    return this.until(`${name} is ${phase}`, async () => {
      const job = await this.job(name)
      expect(job.status?.phase).toBe(phase)
      return job
    })
  }

  /** Until job, group, pods and events all say the same, in these words. */
  async waitsFor(name: string, reason: string, words: string | RegExp): Promise<void> {
    await this.until(`${name} waits for ${reason}`, async () => {
      const group = (await this.group(name)).status?.conditions?.find(({ type }) => type === 'GroupScheduled')
      expect(group).toMatchObject({ status: 'False', reason })
      if (typeof words === 'string') expect(group?.message).toBe(words)
      else expect(group?.message).toMatch(words)
      const job = (await this.job(name)).status?.conditions?.find(({ type }) => type === 'GangScheduling')
      expect(job).toMatchObject({ status: 'False', reason, message: group?.message })
      for (const pod of await this.podsOf(name)) {
        const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
        expect(scheduled).toMatchObject({ status: 'False', reason: 'Unschedulable', message: group?.message })
      }
      expect((await this.eventsOn(name)).map((event) => event.reason)).toContain(reason)
    })
  }
}
