// One rehearsal in virtual time: the cluster, the script and the controller, until nothing more happens.

import { phaseOfJob } from '../api/job-phase.ts'
import type { JobPhase, TrainingJob } from '../api/types.ts'
import { read } from '../core/read.ts'
import { creationOrder, type Place, placesOf } from '../core/slots.ts'
import type { Instant } from '../lib/time.ts'
import { Attempts } from './attempts.ts'
import { doDeed, type Stage } from './deeds.ts'
import { EventQueue } from './event-queue.ts'
import type { Play } from './script.ts'
import { SimulatedApi, type SimulatedPod } from './simulated-api.ts'
import { type InFlight, SimulatedController } from './simulated-controller.ts'
import { SimulatedKubelet, TURNS } from './simulated-kubelet.ts'
import { SimulatedScheduler } from './simulated-scheduler.ts'
import { type TimelineEntry, timelineEntry } from './timeline.ts'

/** A script can ask for years of restarts; nobody waits for that. */
const MOST_MOMENTS = 10_000
const MOST_LOOKS = 4_000_000

export interface Simulated {
  /** As last stored, also if it is deleted by now. */
  job: TrainingJob
  deleted: boolean
  /** When the last thing happened. */
  stoppedAt: number
  /** When it was finished; else how long was rehearsed. In milliseconds, as all times here. */
  endedAt: number
  finished: boolean
  phases: Array<{ at: number; phase: JobPhase }>
  timeline: TimelineEntry[]
  attempts: Attempts
  /** Replicas wanted at the beginning, and all that were wanted at any time, in order of rank. */
  first: ReadonlySet<string>
  places: Place[]
  api: SimulatedApi
}

export function simulate(job: TrainingJob, startedAt: Instant, play: Play, inFlight: InFlight): Simulated {
  const api = new SimulatedApi(startedAt)
  const queue = new EventQueue()
  const known = new KnownPods()
  const timeline: TimelineEntry[] = []
  const phases: Simulated['phases'] = []
  const elapsed = (): number => api.now - startedAt
  const tell: Stage['tell'] = (reason) => {
    const entry = timelineEntry(elapsed() / 1000, reason)
    if (!entry) return
    // The first pods are the job's beginning, even where there is only one.
    const begins = entry.event === 'Created' && !timeline.some(({ event }) => event === 'Created')
    timeline.push(begins ? { ...entry, object: 'job' } : entry)
  }
  const trainingContainerOf = (pod: SimulatedPod): string => known.trainingContainerOf(pod)

  const attempts = new Attempts(elapsed, (name) => known.byPod.get(name)?.key, trainingContainerOf)
  let last = job
  api.onChange((change) => {
    if (change.kind !== 'Job') attempts.hear(change)
    else if (change.after) {
      last = change.after as TrainingJob
      known.learn(last)
      const phase = phaseOfJob(last)
      if (phases.at(-1)?.phase !== phase) phases.push({ at: elapsed(), phase })
    } else tell({ object: 'job', type: 'Normal', event: 'Deleted', message: 'ttlSecondsAfterFinished has passed' })
  })
  const scheduler = new SimulatedScheduler(api, (name) => known.orderOf(name))
  const behaviourOf = (name: string) => play.replicas.get(known.byPod.get(name)?.key ?? '') ?? play.defaults
  const kubelet = new SimulatedKubelet(api, queue, scheduler, behaviourOf, trainingContainerOf)
  const controller = new SimulatedController(api, inFlight, tell)
  const podOf = (replica: string): SimulatedPod | undefined => api.pod(known.byReplica.get(replica)?.podName ?? '')
  const stage: Stage = { api, scheduler, controller, podOf, trainingContainerOf, tell }

  for (const { at, deed } of play.deeds) {
    queue.put({ at: startedAt + at, turn: TURNS.script, happen: () => doDeed(stage, deed) })
  }
  api.putJob(job)
  const first = new Set(known.byReplica.keys())
  const until = startedAt + play.until
  let next: Instant | undefined = startedAt
  const mostMoments = Math.min(MOST_MOMENTS, MOST_LOOKS / first.size)
  let moments = 0
  while (next !== undefined && next <= until && api.job) {
    if (++moments > mostMoments) {
      const message = `the rehearsal ends here: after ${moments - 1} moments at which something happened no end is in sight`
      tell({ object: 'job', type: 'Warning', event: 'Stopped', message })
      break
    }
    api.now = next
    do {
      while (queue.nextAt === api.now) queue.take()!.happen()
      kubelet.expectStart(scheduler.place())
      if (queue.nextAt !== api.now) controller.settle()
    } while (api.job && (queue.nextAt === api.now || scheduler.hasWork))
    next = earliest(queue.nextAt, controller.wakeAt)
  }
  if (controller.isToCrash) {
    tell({
      object: 'job',
      type: 'Normal',
      event: 'NoEffect',
      message: 'controller: crash: without effect, it wrote nothing after that',
    })
  }
  const end = phases.find(({ phase }) => phase === 'Succeeded' || phase === 'Failed')
  return {
    job: last,
    deleted: api.job === undefined,
    stoppedAt: elapsed(),
    endedAt: end?.at ?? (api.job && moments <= mostMoments ? play.until : elapsed()),
    finished: end !== undefined,
    phases,
    timeline,
    attempts,
    first,
    places: [...known.byReplica.values()].sort((a, b) => known.rankOf(a) - known.rankOf(b)),
    api,
  }
}

/** Which replica a pod stands for; a job may grow, so it is asked again whenever the job changes. */
class KnownPods {
  readonly byPod = new Map<string, Place>()
  readonly byReplica = new Map<string, Place>()
  #orders = new Map<string, number>()
  #types: string[] = []
  #spec: unknown

  learn(job: TrainingJob): void {
    if (this.#spec === job.spec) return
    this.#spec = job.spec
    const model = read(job)
    const places = placesOf(model)
    for (const place of places) {
      this.byPod.set(place.podName, place)
      this.byReplica.set(place.key, place)
    }
    this.#types = model.roles.map((role) => role.type)
    this.#orders = new Map(creationOrder(model, places).map((place, i) => [place.podName, i]))
  }

  orderOf(podName: string): number {
    return this.#orders.get(podName) ?? Number.MAX_SAFE_INTEGER
  }

  rankOf({ type, index }: Place): number {
    return this.#types.indexOf(type) * 1e6 + index
  }

  trainingContainerOf(pod: SimulatedPod): string {
    const at = this.byPod.get(pod.metadata.name!)?.role.trainingContainer ?? 0
    return pod.spec?.containers[at]?.name ?? ''
  }
}

function earliest(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b)
}
