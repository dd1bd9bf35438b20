// Names that follow from a job's name. All of them are fixed by rank, so nothing can be created twice.
import type { JobKind } from './types.ts'

const FNV_OFFSET = 0xcbf29ce484222325n
const FNV_PRIME = 0x100000001b3n
const MASK = (1n << 64n) - 1n

/** First five hex digits of FNV-1a 64 over name and uid, as T9k's controllers name their pods. */
export function jobHash(name: string, uid: string): string {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(name + uid)) hash = ((hash ^ BigInt(byte)) * FNV_PRIME) & MASK
  return hash.toString(16).padStart(16, '0').slice(0, 5)
}

/** The name a replica goes by on the network: `<job>-<type>-<index>`. */
export function hostName(job: string, type: string, index: number): string {
  return `${job}-${type}-${index}`
}

export function podName(kind: JobKind, job: string, hash: string, type: string, index: number): string {
  return kind === 'TFJob' ? hostName(job, type, index) : `${job}-${hash}-${type}-${index}`
}

/** The one headless Service that gives the TensorFlow and PyTorch kinds' pods their names. */
export function peersServiceName(job: string, hash: string): string {
  return `${job}-${hash}-peers`
}

export function tensorboardName(job: string, hash: string): string {
  return `${job}-${hash}`
}

export const MAX_NAME = 63

/** DNS-1035: what a Service, and so a job, may be called. */
export const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
export const DNS_1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/

/** The longest name that will be made for a job, to be held against MAX_NAME. */
export function longestName(
  kind: JobKind,
  job: string,
  roles: ReadonlyArray<{ type: string; replicas: number }>,
): string {
  const hash = '00000'
  const names = roles.map((role) => podName(kind, job, hash, role.type, Math.max(0, role.replicas - 1)))
  if (kind === 'TensorFlowTrainingJob' || kind === 'PyTorchTrainingJob') names.push(peersServiceName(job, hash))
  return names.reduce((longest, name) => (name.length > longest.length ? name : longest), job)
}
