// One event of a script: what happens at one moment.
import type { Path } from '../api/issue.ts'
import { isObject } from '../lib/json.ts'
import { checkKeys, complain, type Reading, readDuration, readExitCode, readReplica, show } from './read-script.ts'
import type { Deed } from './script.ts'

/** What an event can be about, and the keys that may stand beside it. */
const DEEDS: Record<string, readonly string[]> = {
  exit: ['replica', 'container'],
  evict: ['replica'],
  delete: ['replica'],
  node: ['replicas'],
  pause: [],
  scale: [],
  patch: [],
  controller: [],
  garbageCollect: [],
  capacity: [],
}
const KEYS = [...new Set(['at', ...Object.keys(DEEDS), ...Object.values(DEEDS).flat()])]
const MOST_PODS = 1_000_000

export function readEvent(reading: Reading, path: Path, value: unknown): { at: number; deed: Deed } | undefined {
  if (!isObject(value)) {
    complain(reading, path, 'must be a map such as {at: 10s, replica: worker-1, exit: 137}')
    return undefined
  }
  const before = reading.issues.length
  checkKeys(reading, path, value, KEYS)
  if (reading.issues.length > before) return undefined
  if (value.at === undefined) complain(reading, path, 'at is missing: when does it happen?')
  const at = value.at === undefined ? undefined : readDuration(reading, [...path, 'at'], value.at)
  const kinds = Object.keys(DEEDS).filter((key) => value[key] !== undefined)
  const kind = kinds[0]
  if (kind === undefined || kinds.length > 1) {
    const found = kind === undefined ? 'says nothing of what happens' : `says ${kinds.join(' and ')}`
    complain(reading, path, `${found}; an event has exactly one of ${Object.keys(DEEDS).join(', ')}`)
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (key === 'at' || key === kind || DEEDS[kind]!.includes(key)) continue
    reading.issues.push({ severity: 'error', path: [...path, key], message: `does not go with ${kind}`, atKey: true })
  }
  const deed = readDeed(reading, path, kind, value)
  return deed && at !== undefined ? { at, deed } : undefined
}

function readDeed(reading: Reading, path: Path, kind: string, event: Record<string, unknown>): Deed | undefined {
  const value = event[kind]
  const at = [...path, kind]
  switch (kind) {
    case 'exit':
      return readExit(reading, path, event)
    case 'evict':
    case 'delete': {
      if (value !== true) complain(reading, at, `${show(value)} is not possible; write ${kind}: true`)
      const replica = needReplica(reading, path, event)
      return replica === undefined ? undefined : { do: kind, replica }
    }
    case 'garbageCollect': {
      const replica = readReplica(reading, at, value)
      return replica === undefined ? undefined : { do: 'garbageCollect', replica }
    }
    case 'node':
      if (value !== 'lost') complain(reading, at, `${show(value)} is not possible; write node: lost`)
      return readNode(reading, path, event.replicas)
    case 'pause':
      if (typeof value === 'boolean') return { do: 'pause', on: value }
      complain(reading, at, `${show(value)} is neither true nor false`)
      return undefined
    case 'scale':
      return isCount(reading, at, value) ? { do: 'scale', replicas: value } : undefined
    case 'capacity':
      return isCount(reading, at, value) ? { do: 'capacity', pods: value } : undefined
    case 'patch':
      if (isObject(value)) return { do: 'patch', patch: value }
      complain(reading, at, 'must be a map with what to change, such as {spec: {runPolicy: {backoffLimit: 5}}}')
      return undefined
    default:
      if (value === 'crash') return { do: 'crash' }
      complain(reading, at, `${show(value)} is not possible; write controller: crash`)
      return undefined
  }
}

function readExit(reading: Reading, path: Path, event: Record<string, unknown>): Deed | undefined {
  const exitCode = readExitCode(reading, [...path, 'exit'], event.exit)
  const replica = needReplica(reading, path, event)
  if (replica === undefined) return undefined
  const { container } = event
  if (container === undefined) return exitCode === undefined ? undefined : { do: 'exit', replica, exitCode }
  const names = reading.cast.containersOf(replica)
  if (typeof container !== 'string' || !names.includes(container)) {
    complain(
      reading,
      [...path, 'container'],
      `${replica} has no container ${show(container)}, only ${names.join(', ')}`,
    )
    return undefined
  }
  return exitCode === undefined ? undefined : { do: 'exit', replica, exitCode, container }
}

function readNode(reading: Reading, path: Path, value: unknown): Deed | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    const place = value === undefined ? path : [...path, 'replicas']
    complain(reading, place, 'replicas must list those whose node is lost, such as [worker-2]')
    return undefined
  }
  const replicas = value.map((item, i) => readReplica(reading, [...path, 'replicas', i], item))
  return replicas.includes(undefined) ? undefined : { do: 'loseNode', replicas: replicas as string[] }
}

function needReplica(reading: Reading, path: Path, event: Record<string, unknown>): string | undefined {
  if (event.replica !== undefined) return readReplica(reading, [...path, 'replica'], event.replica)
  complain(reading, path, 'replica is missing: whom does it happen to?')
  return undefined
}

function isCount(reading: Reading, path: Path, value: unknown): value is number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_PODS) return true
  complain(reading, path, `${show(value)} is not a number of pods`)
  return false
}
