// Findings as a person reads them, and as a program does.
import type { Checked, Finding } from './check.ts'
import type { ManifestFile } from './manifest/manifest.ts'
import { codeFrame } from './output/code-frame.ts'
import type { Style } from './output/terminal.ts'
import { printable, wrap } from './output/text.ts'

const MOST = 20

/** All of one file: errors in its order with the lines they are about, then warnings, one line each. */
export function renderFindings(file: ManifestFile, checked: readonly Checked[], style: Style): string[] {
  const all = checked.flatMap(({ findings }) => findings)
  const errors = all.filter((finding) => finding.severity === 'error')
  const warnings = all.filter((finding) => finding.severity === 'warning')
  return [
    ...limited(errors, style, (error) => [
      ...renderFinding(file.file, error, style),
      ...codeFrame(file.lines, error.position, !error.namesLine, style),
    ]),
    ...limited(warnings, style, (warning) => renderFinding(file.file, warning, style)),
  ]
}

function limited(findings: readonly Finding[], style: Style, render: (finding: Finding) => string[]): string[] {
  const lines = findings.slice(0, MOST).flatMap(render)
  return findings.length > MOST ? [...lines, `${style.ellipsis} and ${findings.length - MOST} more`] : lines
}

type Placed = Pick<Finding, 'severity' | 'path' | 'message'> & { position: { line: number; column: number } }

export function renderFinding(file: string, finding: Placed, style: Style): string[] {
  const { line, column } = finding.position
  const path = finding.path ? `${finding.path}: ` : ''
  const [first, ...rest] = wrap(
    printable(`${file}:${line}:${column}: ${finding.severity}: ${path}${finding.message}`),
    style.width,
  )
  const colour = finding.severity === 'error' ? 'red' : 'yellow'
  return [first!.replace(` ${finding.severity}: `, ` ${style.paint(colour, `${finding.severity}:`)} `), ...rest]
}

/** `job.yaml: ConfigMap code, PyTorchTrainingJob digits: 3 errors, 1 warning`. */
export function renderClosing(file: ManifestFile, checked: readonly Checked[], style: Style): string[] {
  const all = checked.flatMap(({ findings }) => findings)
  const errors = all.filter((finding) => finding.severity === 'error').length
  const warnings = all.length - errors
  const names = checked.map(({ manifest }) => `${manifest.kind} ${manifest.name}`.trim()).filter((name) => name !== '')
  const verdict = [
    ...(errors > 0 ? [counted(errors, 'error')] : ['valid']),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]
  return wrap(
    printable([file.file, ...(names.length > 0 ? [names.join(', ')] : []), verdict.join(', ')].join(': ')),
    style.width,
  )
}

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

export interface FindingData {
  path: string
  line: number
  column: number
  message: string
}

export function findingData(finding: Finding): FindingData {
  const { path, message, position } = finding
  return { path, line: position.line, column: position.column, message }
}

/** What every command prints under `-o` when it cannot answer: the errors of all files, each with its file. */
export function errorData(checked: readonly Checked[]): { errors: Array<FindingData & { file: string }> } {
  return {
    errors: checked.flatMap(({ file, findings }) =>
      findings
        .filter((finding) => finding.severity === 'error')
        .map((finding) => ({ file: file.file, ...findingData(finding) })),
    ),
  }
}
