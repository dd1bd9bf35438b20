// What happened, as the audience reads it.
import type { Reason } from '../core/decision.ts'

export interface TimelineEntry {
  /** Seconds since the job was created. */
  at: number
  /** `job` or a replica. */
  object: string
  /** One plain word. */
  event: string
  /** As in the event recorded on the cluster. */
  reason: string
  message: string
}

/** Kubeflow's events for single objects: their part in the play is told by what became of the replicas. */
const OBJECTS = /^Successful(CreateService|Delete(Pod|Service|PodGroup))$/

/** The engine's own word where it has one; its creation is no news to whoever rehearses a job. */
export function timelineEntry(at: number, { object, event, message, word, short }: Reason): TimelineEntry | undefined {
  if ((event === 'Created' && word === undefined) || OBJECTS.test(event)) return undefined
  return { at, object, event: word ?? event, reason: event, message: short ?? message }
}
