// What the script does to the cluster and to the job. What has no effect, or is refused, is said in the timeline.
import { type Issue, messageOf, pathText } from '../api/issue.ts'
import { pausePatch } from '../api/pause-patch.ts'
import type { TrainingJob } from '../api/types.ts'
import { validate } from '../api/validate.ts'
import type { Reason } from '../core/decision.ts'
import { isObject } from '../lib/json.ts'
import { mergePatch } from './merge-patch.ts'
import { evicted, exited, hasEnded } from './pod-status.ts'
import type { Deed } from './script.ts'
import type { SimulatedApi, SimulatedPod } from './simulated-api.ts'
import type { SimulatedController } from './simulated-controller.ts'
import type { SimulatedScheduler } from './simulated-scheduler.ts'

export interface Stage {
  api: SimulatedApi
  scheduler: SimulatedScheduler
  controller: SimulatedController
  podOf(replica: string): SimulatedPod | undefined
  trainingContainerOf(pod: SimulatedPod): string
  tell(reason: Reason): void
}

export function doDeed(stage: Stage, deed: Deed): void {
  const { api } = stage
  switch (deed.do) {
    case 'exit':
      withRunningPod(stage, deed.replica, `exit ${deed.exitCode}`, (pod) => exit(stage, deed, pod))
      break
    case 'evict':
      withRunningPod(stage, deed.replica, 'eviction', (pod) => {
        api.update('Pod', pod.metadata.name!, (old: SimulatedPod) => ({ ...old, status: evicted(old, api.now) }))
      })
      break
    case 'delete':
      withRunningPod(stage, deed.replica, 'deletion', (pod) => api.deletePod(pod.metadata.name!))
      break
    case 'garbageCollect':
      garbageCollect(stage, deed.replica)
      break
    case 'loseNode':
      for (const replica of deed.replicas) {
        withRunningPod(stage, replica, 'loss of its node', (pod) => loseNode(api, pod))
      }
      break
    case 'pause':
      change(stage, `pause: ${deed.on}`, (job) => mergePatch(job, pausePatch(job, deed.on)) as TrainingJob)
      break
    case 'scale':
      scale(stage, deed.replicas)
      break
    case 'patch':
      change(stage, 'patch', (job) => mergePatch(job, deed.patch) as TrainingJob)
      break
    case 'crash':
      stage.controller.crashSoon()
      break
    case 'capacity':
      stage.scheduler.capacity = deed.pods
  }
}

function withRunningPod(stage: Stage, replica: string, what: string, act: (pod: SimulatedPod) => void): void {
  const pod = stage.podOf(replica)
  if (pod?.status?.phase === 'Running' && !pod.metadata.deletionTimestamp) act(pod)
  else stage.tell(withoutEffect(replica, `${what}: without effect, ${replica} has no running pod`))
}

function exit(stage: Stage, deed: Extract<Deed, { do: 'exit' }>, pod: SimulatedPod): void {
  const name = deed.container ?? stage.trainingContainerOf(pod)
  const runs = pod.status?.containerStatuses?.some((status) => status.name === name && status.state?.running)
  if (runs) {
    const status = exited(pod, name, deed.exitCode, stage.api.now)
    stage.api.update('Pod', pod.metadata.name!, (old) => ({ ...old, status }))
  } else {
    const message = `exit ${deed.exitCode}: without effect, container ${name} does not run`
    stage.tell(withoutEffect(deed.replica, message))
  }
}

function garbageCollect(stage: Stage, replica: string): void {
  const pod = stage.podOf(replica)
  if (pod && hasEnded(pod)) stage.api.remove('Pod', pod.metadata.name!)
  else stage.tell(withoutEffect(replica, `garbage collection: without effect, ${replica} has no finished pod`))
}

/** The node is gone; its pod is marked for deletion, and nobody is there to stop it. */
function loseNode(api: SimulatedApi, pod: SimulatedPod): void {
  api.nodes.delete(pod.spec!.nodeName!)
  api.deletePod(pod.metadata.name!)
}

function scale(stage: Stage, replicas: number): void {
  const { job } = stage.api
  const elastic = (job?.spec as { elastic?: unknown } | undefined)?.elastic
  const patch = { spec: { elastic: { expectedReplicas: replicas } } }
  if (job && job.kind !== 'PyTorchTrainingJob') {
    stage.tell(refusal(`scale: ${replicas}: a ${job.kind} cannot be scaled`))
  } else if (job && !isObject(elastic)) {
    stage.tell(refusal(`scale: ${replicas}: the job is not elastic`))
  } else {
    change(stage, `scale: ${replicas}`, (old) => mergePatch(old, patch) as TrainingJob)
  }
}

/** The user's write; the rules may refuse it, and then nothing changes. */
function change(stage: Stage, what: string, edit: (job: TrainingJob) => TrainingJob): void {
  const { job } = stage.api
  if (!job) return
  const { status, ...old } = job
  const { status: _, ...edited } = edit(job)
  // Whatever a patch says of them, these are the API's own.
  const { name, namespace, uid, creationTimestamp, generation, resourceVersion } = job.metadata
  const metadata = { ...edited.metadata, name, namespace, uid, creationTimestamp, generation, resourceVersion }
  const wanted = { ...edited, apiVersion: job.apiVersion, kind: job.kind, metadata }
  const { object, issues } = validate(wanted, { old })
  const errors = issues.filter((issue) => issue.severity === 'error')
  if (errors.length > 0) stage.tell(refusal(`${what}: ${errors.map(textOf).join('; ')}`))
  else stage.api.putJob({ ...(object as TrainingJob), ...(status && { status }) } as TrainingJob)
}

function textOf(issue: Issue): string {
  return `${pathText(issue.path)}: ${messageOf(issue)}`
}

function refusal(message: string): Reason {
  return { object: 'job', type: 'Warning', event: 'Refused', message }
}

function withoutEffect(object: string, message: string): Reason {
  return { object, type: 'Normal', event: 'NoEffect', message }
}
