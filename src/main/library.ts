// What TypeScript users call: the same checks, plans and rehearsals as the commands, as plain functions.
import type { KubeObject, TrainingJob } from '../api/types.ts'
import { type Checked, checkFile, hasErrors } from '../cli/check.ts'
import { type ManifestFile, readManifestObject, readManifestText } from '../cli/manifest/manifest.ts'
import { Lines } from '../cli/manifest/positions.ts'
import { planJob } from '../cli/plan.ts'
import { findingData } from '../cli/report.ts'
import {
  parseScript,
  rehearse as play,
  RehearsalError,
  type RehearsalResult,
  type Script,
} from '../rehearse/rehearse.ts'

/** YAML or JSON text with one or more documents, an object, or a list of objects. */
export type Manifests = string | object | readonly object[]

export interface Problem {
  /** `spec.replicaSpecs[1].replicas`; empty where the whole document is meant. */
  path: string
  message: string
  /** In a text, from 1; absent for objects. */
  line?: number
  column?: number
}

export interface ValidatedDocument {
  kind: string
  name: string
  valid: boolean
  errors: Problem[]
  warnings: Problem[]
}

/** Thrown by plan and rehearse for what validate refuses. */
export class InvalidManifestError extends Error {
  readonly code = 'INVALID_MANIFEST'
  readonly errors: Problem[]
  constructor(errors: Problem[]) {
    super(errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('\n'))
    this.name = 'InvalidManifestError'
    this.errors = errors
  }
}

export function validate(
  manifests: Manifests,
  options: { strict?: boolean } = {},
): { valid: boolean; documents: ValidatedDocument[] } {
  const checked = checkFile(toFile(manifests), options.strict ?? false)
  const documents = checked.map((document) => ({
    kind: document.manifest.kind,
    name: document.manifest.name,
    valid: !hasErrors([document]),
    errors: problemsOf(document, 'error'),
    warnings: problemsOf(document, 'warning'),
  }))
  return { valid: documents.every((document) => document.valid), documents }
}

/** The complete Kubernetes objects that fresh jobs would make. Other kinds are passed over. */
export function plan(manifests: Manifests, options: { namespace?: string } = {}): { objects: KubeObject[] } {
  return { objects: readJobs(manifests).flatMap((job) => planJob(job, options.namespace).objects) }
}

/**
 * Plays one job in virtual time. The script is an object, or YAML text; without one nothing goes wrong. Impossible
 * scripts are refused like manifests.
 */
export function rehearse(manifests: Manifests, script: Script | string = {}): RehearsalResult {
  const jobs = readJobs(manifests)
  const [job] = jobs
  if (!job || jobs.length > 1) {
    const message = job ? `there are ${jobs.length} jobs here; a rehearsal is of one` : 'there is no job here'
    throw new InvalidManifestError([{ path: '', message }])
  }
  const parsed = typeof script === 'string' ? parseScript(script, '', job) : { script }
  if ('errors' in parsed) {
    throw new InvalidManifestError(
      parsed.errors.map(({ path, message, line, column }) => ({ path, message, line, column })),
    )
  }
  try {
    return play(job, parsed.script)
  } catch (error) {
    if (!(error instanceof RehearsalError)) throw error
    throw new InvalidManifestError(error.problems.map((message) => ({ path: '', message })))
  }
}

function readJobs(manifests: Manifests): TrainingJob[] {
  const checked = checkFile(toFile(manifests), false)
  const errors = checked.flatMap((document) => problemsOf(document, 'error'))
  if (errors.length > 0) throw new InvalidManifestError(errors)
  return checked.flatMap(({ job }) => (job ? [job] : []))
}

function toFile(manifests: Manifests): ManifestFile {
  if (typeof manifests === 'string') return readManifestText('', manifests)
  const objects = Array.isArray(manifests) ? manifests : [manifests]
  return { file: '', lines: new Lines(''), manifests: objects.flatMap(readManifestObject) }
}

function problemsOf({ findings }: Checked, severity: 'error' | 'warning'): Problem[] {
  return findings
    .filter((finding) => finding.severity === severity)
    .map((finding) => {
      const { path, message, line, column } = findingData(finding)
      return line > 0 ? { path, message, line, column } : { path, message }
    })
}
