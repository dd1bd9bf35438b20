// When the containers of a pod began and ended, kept beside their logs: with the pod the API forgets it.
import { join } from 'node:path'
import type { Instant } from '../../lib/time.ts'
import { readJson } from '../home-directory.ts'
import type { PodContainer } from '../pod/pod-container.ts'
import { writeAtomically } from '../write-atomically.ts'

/** Of the last run of a container. */
export interface KeptTimes {
  run: number
  startedAt: Instant
  finishedAt: Instant
}

const FILE = 'times.json'

export function keepTimes(logDirectory: string, containers: readonly PodContainer[]): void {
  const times: Record<string, KeptTimes> = {}
  for (const { spec, view, runs } of containers) {
    if (view?.kind !== 'ended' || view.end.startedAt === undefined) continue
    times[spec.name] = { run: runs.length, startedAt: view.end.startedAt, finishedAt: view.end.finishedAt }
  }
  try {
    writeAtomically(join(logDirectory, FILE), JSON.stringify(times))
  } catch {
    // The disk is full or the logs are gone already; a pod does not stay for the sake of a figure.
  }
}

export function readTimes(logDirectory: string): Record<string, KeptTimes> {
  return readJson(join(logDirectory, FILE)) ?? {}
}
