// The names that are made from a job's name must fit; the root of each schema says so.
import { longestName, MAX_NAME, podName } from '../names.ts'
import { type Rule, record, type Schema, text } from '../schema/schema.ts'
import type { JobKind } from '../types.ts'

/** Only the name may be restricted in a CRD; everything else of metadata is Kubernetes' own. */
export const jobMetadata: Schema = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      maxLength: MAX_NAME,
      pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
      patternMeans: 'is no good as a job name: use small letters, digits and dashes, and begin with a letter',
    },
  },
}

interface Roles {
  /** CEL: there is no such list. */
  absent?: string
  /** CEL for the list (or the keys) the types come from. */
  list: string
  /** CEL for one type's name and size, where `r` is an element of the list. */
  type: string
  replicas: string
  /** The same for our own message. */
  read: (job: never) => Array<{ type: string; replicas: number }>
}

export function fittingNames(kind: JobKind, roles: Roles): Rule {
  const fixedPart = kind === 'TFJob' ? 2 : 8
  const peers =
    kind === 'TensorFlowTrainingJob' || kind === 'PyTorchTrainingJob'
      ? ` && size(self.metadata.name) <= ${MAX_NAME - 12}`
      : ''
  const pattern = kind === 'TFJob' ? '<job>-<type>-<index>' : '<job>-<5 digits>-<type>-<index>'
  return {
    rule: `!has(self.metadata.name) || ${roles.absent ? `${roles.absent} || ` : ''}(${roles.list}.all(r, size(self.metadata.name) + ${fixedPart} + size(${roles.type}) + size(string(${roles.replicas} - 1)) <= ${MAX_NAME})${peers})`,
    message: `too long: the names made from it, ${pattern}, must fit in ${MAX_NAME} characters`,
    fieldPath: '.metadata.name',
    tell: (job: { metadata: { name: string } }) => tellNames(kind, job.metadata.name, roles.read(job as never)),
  }
}

function tellNames(kind: JobKind, job: string, roles: Array<{ type: string; replicas: number }>): { message: string } {
  const longest = longestName(kind, job, roles)
  const over = longest.length - MAX_NAME
  const shown =
    kind === 'TFJob'
      ? longest
      : longest.replace(podName(kind, job, '00000', '', 0).slice(0, job.length + 7), `${job}-*****-`)
  return {
    message: `"${job}" is ${over} ${over === 1 ? 'character' : 'characters'} too long: ${shown} would have ${longest.length} characters, ${MAX_NAME} are allowed; a name of up to ${job.length - over} fits`,
  }
}

export function root(description: string, metadata: Schema, spec: Schema, status: Schema, rules: Rule[] = []): Schema {
  return record(
    description,
    {
      apiVersion: text('The group and version of the kind.'),
      kind: text('The kind.'),
      metadata,
      spec,
      status,
    },
    { required: ['spec'], ...(rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}) },
  )
}
