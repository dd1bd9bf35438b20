// Whether what is installed is of the same version as this command. A definition that is older drops the fields it does not
// know from every job, and only says so in a warning.
import type { CustomResourceDefinition, Deployment, JSONSchemaProps } from '../../../gen/kubernetes-types.ts'
import { buildCrd } from '../../api/build-crd.ts'
import type { Check } from '../job-commands/doctor-view.ts'
import type { Definition } from './others.ts'

const name = 'versions'

export interface Installed {
  operator: Deployment
  /** Of the kinds that matter. */
  definitions: readonly Definition[]
}

/** `version` is this command's own. */
export function examineVersions({ operator, definitions }: Installed, version: string, install: string): Check {
  const image = operator.spec?.template.spec?.containers[0]?.image ?? ''
  const theirs = versionOf(image)
  const compared = definitions.flatMap(({ kind, crd }) => (crd ? [{ kind: kind.kind, ours: buildCrd(kind), crd }] : []))
  const unknownThere = compared.flatMap(({ kind, ours, crd }) => fieldsMissing(crd, ours, kind))
  const unknownHere = compared.flatMap(({ kind, ours, crd }) => fieldsMissing(ours, crd, kind))
  const differences = [
    ...(theirs !== undefined && theirs !== version ? [`the operator is ${theirs}, this command ${version}`] : []),
    ...(unknownThere.length > 0 ? [`the kinds there do not know ${sumUp(unknownThere)}`] : []),
    ...(unknownHere.length > 0 ? [`this command does not know ${sumUp(unknownHere)}`] : []),
  ]
  if (differences.length > 0) {
    const fix = unknownHere.length > 0 ? 'use the trainyard that was installed there, or a newer one' : install
    return { name, status: 'remark', message: differences.join('; '), fix }
  }
  const operators =
    theirs === undefined ? `; the image ${image} does not tell the operator's` : ', and so is the operator'
  return { name, status: 'fine', message: `the kinds are those of ${version}${operators}` }
}

/** By the tag of the image, where that is one. */
function versionOf(image: string): string | undefined {
  return /:v?(\d+\.\d+\.\d+[^@]*)(@|$)/.exec(image)?.[1]
}

/** `PyTorchTrainingJob.spec.runPolicy.restartScope and 2 more fields`. */
function sumUp([first, ...more]: readonly string[]): string {
  return more.length === 0 ? first! : `${first} and ${more.length} more field${more.length === 1 ? '' : 's'}`
}

/** Fields that one definition has and the other has not, by the first version that both have: all versions have the same. */
function fieldsMissing(from: CustomResourceDefinition, of: CustomResourceDefinition, kind: string): string[] {
  const known = new Map(from.spec.versions.map(({ name, schema }) => [name, schema?.openAPIV3Schema ?? {}]))
  const shared = of.spec.versions.find(({ name }) => known.has(name))
  return shared ? missingIn(known.get(shared.name)!, shared.schema?.openAPIV3Schema ?? {}, kind) : []
}

function missingIn(from: JSONSchemaProps, of: JSONSchemaProps, path: string): string[] {
  const fields = Object.entries(of.properties ?? {}).flatMap(([field, schema]) => {
    const other = from.properties?.[field]
    // What keeps everything that is sent knows every field.
    if (!other) return from['x-kubernetes-preserve-unknown-fields'] ? [] : [`${path}.${field}`]
    return missingIn(other, schema, `${path}.${field}`)
  })
  const inside = (schema: JSONSchemaProps): JSONSchemaProps | undefined =>
    [schema.items, schema.additionalProperties].find((each): each is JSONSchemaProps => typeof each === 'object')
  const [ours, theirs] = [inside(of), inside(from)]
  return ours && theirs ? [...fields, ...missingIn(theirs, ours, `${path}[]`)] : fields
}
