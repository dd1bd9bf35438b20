// A script's plain value, checked against the job it is for: no replica the job does not have, no value that cannot be.
import type { Issue, Path } from '../api/issue.ts'
import { nearest } from '../api/nearest.ts'
import { isObject } from '../lib/json.ts'
import type { Cast } from './cast.ts'
import { parseDuration, quote } from './duration.ts'
import { readEvent } from './read-event.ts'
import type { Play, PlayedBehaviour } from './script.ts'

const DEFAULTS: PlayedBehaviour = { scheduleAfter: 1_000, startAfter: 1_000, exitAfter: 60_000, exitCode: 0 }
const DAY = 86_400_000

export interface Reading {
  cast: Cast
  issues: Issue[]
}

export function readScript(value: unknown, cast: Cast): { play: Play; issues: Issue[] } {
  const reading: Reading = { cast, issues: [] }
  const play: Play = { defaults: DEFAULTS, replicas: new Map(), deeds: [], until: DAY }
  // An empty file is a script without events.
  if (value === null || value === undefined) return { play, issues: [] }
  if (!isObject(value)) {
    complain(reading, [], 'must be a map with defaults, replicas, events and until')
    return { play, issues: reading.issues }
  }
  checkKeys(reading, [], value, ['defaults', 'replicas', 'events', 'until'])
  play.defaults = readBehaviour(reading, ['defaults'], value.defaults, DEFAULTS)
  play.replicas = readReplicas(reading, value.replicas, play.defaults)
  play.deeds = readEvents(reading, value.events)
  if (value.until !== undefined) play.until = readDuration(reading, ['until'], value.until) ?? DAY
  return { play, issues: reading.issues }
}

function readBehaviour(reading: Reading, path: Path, value: unknown, fallback: PlayedBehaviour): PlayedBehaviour {
  if (value === undefined || value === null) return fallback
  if (!isObject(value)) {
    complain(reading, path, 'must be a map with scheduleAfter, startAfter, exitAfter, exitCode')
    return fallback
  }
  checkKeys(reading, path, value, ['scheduleAfter', 'startAfter', 'exitAfter', 'exitCode'])
  const played = { ...fallback }
  for (const key of ['scheduleAfter', 'startAfter', 'exitAfter'] as const) {
    if (value[key] === undefined) continue
    if (key === 'exitAfter' && value[key] === 'never') played[key] = Number.POSITIVE_INFINITY
    else played[key] = readDuration(reading, [...path, key], value[key]) ?? fallback[key]
  }
  if (value.exitCode !== undefined) played.exitCode = readExitCode(reading, [...path, 'exitCode'], value.exitCode) ?? 0
  return played
}

function readReplicas(reading: Reading, value: unknown, defaults: PlayedBehaviour): Map<string, PlayedBehaviour> {
  const replicas = new Map<string, PlayedBehaviour>()
  if (value === undefined || value === null) return replicas
  if (!isObject(value)) {
    complain(reading, ['replicas'], 'must be a map from replicas to what they do, such as {worker-1: {exitAfter: 5s}}')
    return replicas
  }
  for (const [name, behaviour] of Object.entries(value)) {
    const unknown = reading.cast.missing(name)
    if (unknown) reading.issues.push({ severity: 'error', path: ['replicas', name], message: unknown, atKey: true })
    else replicas.set(name, readBehaviour(reading, ['replicas', name], behaviour, defaults))
  }
  return replicas
}

function readEvents(reading: Reading, value: unknown): Play['deeds'] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    complain(reading, ['events'], 'must be a list of events')
    return []
  }
  const deeds = value.flatMap((event, i) => readEvent(reading, ['events', i], event) ?? [])
  // Stable: what stands first in the file happens first at the same instant.
  return deeds.sort((a, b) => a.at - b.at)
}

export function readDuration(reading: Reading, path: Path, value: unknown): number | undefined {
  const duration = parseDuration(value)
  if (typeof duration === 'number') return duration
  complain(reading, path, duration)
  return undefined
}

export function readExitCode(reading: Reading, path: Path, value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255) return value
  complain(reading, path, `${show(value)} is not an exit code; they are whole numbers from 0 to 255`)
  return undefined
}

export function readReplica(reading: Reading, path: Path, value: unknown): string | undefined {
  if (typeof value !== 'string') {
    complain(reading, path, `must be the name of a replica, such as ${reading.cast.example}`)
    return undefined
  }
  const unknown = reading.cast.missing(value)
  if (unknown) complain(reading, path, unknown)
  return unknown ? undefined : value
}

export function checkKeys(
  reading: Reading,
  path: Path,
  value: Record<string, unknown>,
  known: readonly string[],
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const meant = nearest(key, known)
    const hint = meant ? `did you mean ${meant}?` : `known here: ${known.join(', ')}`
    reading.issues.push({ severity: 'error', path: [...path, key], message: `unknown key; ${hint}`, atKey: true })
  }
}

export function complain(reading: Reading, path: Path, message: string): void {
  reading.issues.push({ severity: 'error', path, message })
}

export function show(value: unknown): string {
  return typeof value === 'string' ? quote(value) : isObject(value) || Array.isArray(value) ? 'this' : String(value)
}
