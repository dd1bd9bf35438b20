import type { Schema } from '../../api/schema/schema.ts'
import type { ApiObject, Meta } from '../object.ts'

export interface PrinterColumn {
  name: string
  type: string
  format?: string
  description?: string
  priority?: number
  jsonPath: string
}

export interface DefinitionVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema?: { openAPIV3Schema?: Schema }
  subresources?: {
    status?: object
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string }
  }
  additionalPrinterColumns?: PrinterColumn[]
  selectableFields?: Array<{ jsonPath: string }>
}

export interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

/** A CustomResourceDefinition, as far as the server reads it. */
export interface Definition extends ApiObject {
  metadata: Meta
  spec: {
    group: string
    scope: string
    names: {
      plural: string
      singular?: string
      kind: string
      listKind?: string
      shortNames?: string[]
      categories?: string[]
    }
    versions: DefinitionVersion[]
    conversion?: {
      strategy?: string
      webhook?: { clientConfig?: unknown; conversionReviewVersions?: string[] }
    }
    preserveUnknownFields?: boolean
  }
  status?: {
    storedVersions?: string[]
    acceptedNames?: Definition['spec']['names']
    conditions?: Condition[] | null
  }
}

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

/** GA before beta before alpha, higher numbers first; names that are no Kubernetes versions last, by the alphabet. */
export function compareVersions(a: string, b: string): number {
  const left = rank(a)
  const right = rank(b)
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : 1
  for (const [i, value] of left.entries()) if (value !== right[i]) return (right[i] ?? 0) - value
  return 0
}

function rank(version: string): number[] | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version)
  if (!match) return undefined
  const stage = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0
  return [stage, Number(match[1]), Number(match[3] ?? 0)]
}
