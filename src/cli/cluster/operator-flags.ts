// What `trainyard operator` is told on its command line, checked before anything starts.
import { kinds } from '../../api/kinds.ts'
import { nearest } from '../../api/nearest.ts'
import type { JobKind } from '../../api/types.ts'
import { GANG_CHOICES, type GangChoice } from '../../core/gangs.ts'
import { parseDuration } from '../../rehearse/duration.ts'
import type { ClusterOptions } from '../home/connect.ts'
import { UsageError } from '../usage-error.ts'

/** As commander hands them over. */
export interface OperatorFlags extends ClusterOptions {
  leaderElect?: string | boolean
  leaseDuration: string
  leaseName: string
  leaseNamespace?: string
  identity?: string
  metricsAddress: string
  workers: string
  requests: string
  takeOver?: string[]
  clusterDomain?: string
  gangScheduler: string
  forceDeleteAfter: string
  logLevel: string
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface OperatorRun {
  kubeconfig?: string
  context?: string
  /** Looks after this namespace only. */
  namespace?: string
  /** Absent: it works without asking whether others do. */
  election?: { namespace?: string; name: string; identity?: string; leaseSeconds: number }
  /** Where metrics and health are served, without a host on all addresses; absent: nowhere. */
  address?: { host?: string; port: number }
  workers: number
  requests: number
  takeOver: JobKind[]
  clusterDomain?: string
  gangScheduler: GangChoice
  forceDeleteAfter: number
  logLevel: LogLevel
}

export const OPERATOR_DEFAULTS = {
  leaseDuration: '15s',
  leaseName: 'trainyard-operator',
  metricsAddress: ':8080',
  workers: '16',
  requests: '32',
  gangScheduler: 'auto',
  forceDeleteAfter: '300s',
  logLevel: 'info',
} as const

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

export function readOperatorFlags(flags: OperatorFlags): OperatorRun {
  const { kubeconfig, context, namespace, identity, clusterDomain } = flags
  const leaseSeconds = millisecondsOf('--lease-duration', flags.leaseDuration) / 1000
  if (leaseSeconds < 1 || leaseSeconds > 3600) {
    throw new UsageError(`--lease-duration ${flags.leaseDuration}: it is between 1s and 1h`)
  }
  const elects = booleanOf('--leader-elect', flags.leaderElect)
  return {
    kubeconfig,
    context,
    namespace,
    ...(elects && { election: { namespace: flags.leaseNamespace, name: flags.leaseName, identity, leaseSeconds } }),
    address: addressOf(flags.metricsAddress),
    workers: countOf('--workers', flags.workers, 1000),
    requests: countOf('--requests', flags.requests, 1000),
    takeOver: (flags.takeOver ?? []).map(jobKindOf),
    clusterDomain,
    gangScheduler: choiceOf('--gang-scheduler', flags.gangScheduler, GANG_CHOICES),
    forceDeleteAfter: millisecondsOf('--force-delete-after', flags.forceDeleteAfter) / 1000,
    logLevel: choiceOf('--log-level', flags.logLevel, LEVELS),
  }
}

export function millisecondsOf(flag: string, text: string): number {
  const parsed = parseDuration(text)
  if (typeof parsed === 'string') throw new UsageError(`${flag}: ${parsed}`)
  return parsed
}

function booleanOf(flag: string, value: string | boolean | undefined): boolean {
  if (value === undefined || value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw new UsageError(`${flag}=${value}: it is true or false`)
}

export function countOf(flag: string, text: string, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw new UsageError(`${flag} ${text}: it is a number from 1 to ${most}`)
  return number
}

/** `:8080`, `127.0.0.1:8080`, `[::1]:0`; `off`: none. */
function addressOf(text: string): OperatorRun['address'] {
  if (text === 'off' || text === '') return undefined
  const match = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (!match || port > 65_535) throw new UsageError(`--metrics-address ${text}: write it like :8080, or off`)
  // Node then listens on `::`, or on `0.0.0.0` where the kernel has no IPv6; told `::` it would fail there.
  const host = match[1] ?? match[2]
  return { ...(host && { host }), port }
}

function jobKindOf(text: string): JobKind {
  const known = kinds.filter((kind) => kind.job)
  const wanted = text.toLowerCase()
  const found = known.find(({ kind, plural }) => kind.toLowerCase() === wanted || plural === wanted)
  if (found) return found.kind as JobKind
  const names = known.map(({ kind }) => kind)
  const near = nearest(text, names)
  throw new UsageError(`--take-over ${text}: ${near ? `did you mean ${near}?` : `it is one of ${names.join(', ')}`}`)
}

function choiceOf<T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const chosen = choices.find((candidate) => candidate === text)
  if (!chosen) throw new UsageError(`${flag} ${text}: it is one of ${choices.join(', ')}`)
  return chosen
}
