// A job whose pods and record are moved by hand, as the API would tell of them.
import { readFileSync } from 'node:fs'
import type { ContainerState, Pod } from '../../gen/kubernetes-types.ts'
import { SILENT_STDERR, tellSilent } from '../../src/api/silent-stderr.ts'
import type { JobStatus } from '../../src/api/types.ts'
import { validate } from '../../src/api/validate.ts'
import type { AnyJob } from '../../src/cli/home/running-jobs.ts'
import { readManifestText } from '../../src/cli/manifest/manifest.ts'
import { JobView } from '../../src/cli/run/view/job-view.ts'
import { read } from '../../src/core/read.ts'
import { placesOf } from '../../src/core/slots.ts'
import { toTimestamp } from '../../src/lib/time.ts'

export const BEGIN = Date.parse('2026-11-16T09:12:04Z')

export class StagedJob {
  readonly view: JobView
  #job: AnyJob
  /** Milliseconds since the job began. */
  at = 0

  constructor(text: string) {
    const manifest = readManifestText('job.yaml', text).manifests.find(({ kind }) => kind.endsWith('Job'))!
    const job = validate(manifest.object).object as AnyJob
    this.#job = { ...job, metadata: { ...job.metadata, namespace: 'default', uid: 'job-uid' } } as AnyJob
    const podNames = placesOf(read(this.#job)).map(({ type, podName }) => ({ type, podName }))
    const types = [...new Set(podNames.map(({ type }) => type))]
    const tasks = types.map((type) => ({
      type,
      replicaStatus: podNames
        .filter((each) => each.type === type)
        .map(({ podName }) => ({ name: podName, phase: 'Pending' as const })),
    }))
    this.#job = { ...this.#job, status: { tasks, startTime: toTimestamp(BEGIN), backoffCount: 0 } } as AnyJob
    this.view = new JobView(this.#job, BEGIN)
  }

  static digits(): StagedJob {
    return new StagedJob(readFileSync(new URL('../../examples/digits/job.yaml', import.meta.url), 'utf8'))
  }

  get now(): number {
    return BEGIN + this.at
  }

  get keys(): string[] {
    return this.view.replicas.map(({ place }) => place.key)
  }

  /** The operator writes the job's record. */
  record(change: Partial<JobStatus>): void {
    this.#job = { ...this.#job, status: { ...(this.#job.status as JobStatus), ...change } } as AnyJob
    this.view.noteJob(this.#job, this.now)
  }

  /** … and one replica's entry in it. */
  entry(key: string, change: object, job: Partial<JobStatus> = {}): void {
    this.entries({ [key]: change }, job)
  }

  /** … or several at once. */
  entries(changes: Record<string, object>, job: Partial<JobStatus> = {}): void {
    const byPod = new Map(Object.entries(changes).map(([key, change]) => [this.#place(key).podName, change]))
    const status = this.#job.status as JobStatus
    const tasks = status.tasks?.map((task) => ({
      ...task,
      replicaStatus: task.replicaStatus.map((entry) => ({ ...entry, ...byPod.get(entry.name) })),
    }))
    this.record({ ...job, tasks })
  }

  /** A pod as the kubelet reports it. */
  pod(key: string, state: ContainerState, attempt = 1, rest: Pod['status'] = {}): Pod {
    const place = this.#place(key)
    const name = place.role.template.spec?.containers[place.role.trainingContainer]?.name ?? ''
    const phase = state.running
      ? 'Running'
      : state.terminated
        ? state.terminated.exitCode
          ? 'Failed'
          : 'Succeeded'
        : 'Pending'
    const pod: Pod = {
      metadata: {
        name: place.podName,
        uid: `${key}#${attempt}`,
        annotations: { 'trainyard.dev/attempt': String(attempt) },
      },
      spec: { nodeName: 'here', containers: [] },
      status: {
        phase,
        containerStatuses: [{ name, image: '', imageID: '', ready: true, restartCount: 0, state }],
        ...rest,
      },
    }
    this.view.notePod(pod, this.now)
    return pod
  }

  runs(key: string, attempt = 1): void {
    this.pod(key, { running: { startedAt: toTimestamp(this.now) } }, attempt)
    this.entry(key, { uid: `${key}#${attempt}`, phase: 'Running' })
  }

  ends(key: string, exitCode: number, startedAt: number, { attempt = 1, silent = false } = {}): void {
    const times = { startedAt: toTimestamp(BEGIN + startedAt), finishedAt: toTimestamp(this.now) }
    const { role } = this.#place(key)
    const message = tellSilent([role.template.spec?.containers[role.trainingContainer]?.name ?? ''])
    const rest = silent ? { conditions: [{ type: SILENT_STDERR, status: 'True', message }] } : {}
    this.pod(key, { terminated: { exitCode, reason: exitCode ? 'Error' : 'Completed', ...times } }, attempt, rest)
  }

  writes(key: string, line: string, attempt = 1): void {
    this.view.noteLine(this.#place(key).podName, `${key}#${attempt}`, line)
  }

  #place(key: string) {
    return this.view.replicas.find(({ place }) => place.key === key)!.place
  }
}
