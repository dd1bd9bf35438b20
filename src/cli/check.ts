// What is to be said about a manifest: the reader's complaints, or those of the kind's own rules, with their places.
import { type Issue, messageOf, pathText } from '../api/issue.ts'
import { kindOf } from '../api/kinds.ts'
import type { TrainingJob } from '../api/types.ts'
import { validate } from '../api/validate.ts'
import type { Manifest, ManifestFile } from './manifest/manifest.ts'
import type { Position } from './manifest/positions.ts'

export interface Finding {
  severity: 'error' | 'warning'
  path: string
  message: string
  position: Position
  /** The message names another line, so the one above need not be shown. */
  namesLine: boolean
}

export interface Checked {
  file: ManifestFile
  manifest: Manifest
  findings: Finding[]
  /** With defaults, where the document is a job of ours without errors. */
  job?: TrainingJob
}

export function checkFile(file: ManifestFile, strict: boolean): Checked[] {
  return file.manifests.map((manifest) => {
    const { issues, job } = checkManifest(manifest)
    const findings = issues.map((issue) => locateIssue(issue, manifest, strict)).sort(byPlace)
    return { file, manifest, findings, job: findings.some((finding) => finding.severity === 'error') ? undefined : job }
  })
}

function checkManifest(manifest: Manifest): { issues: Issue[]; job?: TrainingJob } {
  if (!manifest.object) return { issues: manifest.issues }
  const { object, issues } = validate(manifest.object)
  const isJob = kindOf(manifest.apiVersion, manifest.kind)?.job
  return { issues, job: isJob ? withName(object as TrainingJob) : undefined }
}

/** A name that is still to be generated gets five characters, whichever; these stand for them. */
function withName(job: TrainingJob): TrainingJob {
  const { name, generateName } = job.metadata ?? {}
  return name ? job : { ...job, metadata: { ...job.metadata, name: `${generateName ?? ''}xxxxx` } }
}

function locateIssue(issue: Issue, manifest: Manifest, strict: boolean): Finding {
  const position = manifest.locate(issue.path, issue.atKey)
  const message = messageOf(issue, (path) => manifest.locate(path).line)
  return {
    severity: strict ? 'error' : issue.severity,
    path: pathText([...manifest.base, ...issue.path]),
    message,
    position,
    namesLine: issue.see !== undefined,
  }
}

function byPlace(a: Finding, b: Finding): number {
  return a.position.line - b.position.line || a.position.column - b.position.column
}

export function hasErrors(checked: readonly Checked[]): boolean {
  return checked.some(({ findings }) => findings.some((finding) => finding.severity === 'error'))
}
