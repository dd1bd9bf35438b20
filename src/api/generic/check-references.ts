// `$(service.worker[0].host)` and its like must point at something the job has.
import type { Issue, Path } from '../issue.ts'
import { nearest } from '../nearest.ts'
import { containersOf, fault, warn } from '../shared/check-templates.ts'
import { replicaSpecsOf } from '../spellings.ts'
import type { GenericJobSpec } from '../types.ts'
import { parseReferences, type Reference } from './references.ts'

export function* checkReferences(spec: GenericJobSpec, field: 'replicaSpecs' | 'replicasSpec'): Generator<Issue> {
  for (const { text, path } of textsOf(spec, field)) {
    for (const piece of parseReferences(text)) {
      if (typeof piece === 'string') {
        const odd = /(?<!\$)\$\((service|replicas)[^)]*\)/.exec(piece)
        if (odd)
          yield warn(
            path,
            `${odd[0]} is none of our references and is left as it is; they are $(replicas[TYPE]), $(service.TYPE[RANK].host), $(service.port[NAME])`,
          )
        continue
      }
      const problem = problemOf(piece, spec)
      if (problem) yield fault(path, `${piece.text}: ${problem}`)
    }
  }
}

function problemOf(reference: Reference, spec: GenericJobSpec): string | undefined {
  if ((reference.name === 'host' || reference.name === 'port') && !spec.service) return 'the job has no spec.service'
  if (reference.name === 'port') {
    const names = (spec.service?.ports ?? []).flatMap((port) => (port.name ? [port.name] : []))
    return names.includes(reference.port)
      ? undefined
      : `spec.service has no port "${reference.port}"${hint(reference.port, names)}`
  }
  if (reference.name !== 'replicas' && reference.name !== 'host') return undefined
  const role = replicaSpecsOf(spec).find((r) => r.type === reference.type)
  if (!role) {
    const types = replicaSpecsOf(spec).map((r) => r.type)
    return `the job has no replica type "${reference.type}"${hint(reference.type, types)}`
  }
  const replicas = role.replicas ?? 1
  if (reference.name === 'host' && replicas > 0 && reference.index >= replicas)
    return replicas === 1 ? `${role.type} has only rank 0` : `${role.type} has ranks 0 to ${replicas - 1}`
  return undefined
}

function hint(word: string, known: string[]): string {
  const meant = nearest(word, known)
  if (meant) return `; did you mean ${meant}?`
  return known.length > 0 ? `, only ${known.join(', ')}` : ''
}

function* textsOf(
  spec: GenericJobSpec,
  field: 'replicaSpecs' | 'replicasSpec',
): Generator<{ text: string; path: Path }> {
  for (const [i, { template }] of replicaSpecsOf(spec).entries())
    for (const { container, at } of containersOf({ path: ['spec', field, i, 'template'], template })) {
      yield* each(container.command, [...at, 'command'])
      yield* each(container.args, [...at, 'args'])
      for (const [j, variable] of (container.env ?? []).entries())
        if (variable.value !== undefined) yield { text: variable.value, path: [...at, 'env', j, 'value'] }
    }
  for (const [i, entry] of (spec.runMode?.debug?.replicaSpecs ?? []).entries())
    yield* each(entry.command, ['spec', 'runMode', 'debug', 'replicaSpecs', i, 'command'])
  for (const [i, entry] of (spec.runMode?.pause?.resumeSpecs ?? []).entries()) {
    yield* each(entry.command, ['spec', 'runMode', 'pause', 'resumeSpecs', i, 'command'])
    yield* each(entry.args, ['spec', 'runMode', 'pause', 'resumeSpecs', i, 'args'])
  }
}

function* each(texts: string[] | undefined, path: Path): Generator<{ text: string; path: Path }> {
  for (const [i, text] of (texts ?? []).entries()) yield { text, path: [...path, i] }
}
