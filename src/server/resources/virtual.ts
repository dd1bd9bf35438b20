import { isObject } from '../../lib/json.ts'
import { type Tracked, trackUpdate } from '../apply/track.ts'
import { type ApiObject, timestamp, valueAt } from '../object.ts'
import { type Decoded, DecodeError, decodeBuiltIn, undecodable } from '../schema/decode-built-in.ts'
import { kubernetesSchema } from '../schema/kubernetes-schemas.ts'
import { badRequest, invalid } from '../status-error.ts'
import { refuseOtherKind } from '../verbs/admit.ts'
import { invalidValue } from './field-errors.ts'
import { groupVersion, type Verb } from './resource.ts'

/** Kinds that are answered and never stored. */
export interface VirtualResource {
  group: string
  version: string
  plural: string
  singular: string
  kind: string
  namespaced: boolean
  verbs: readonly Verb[]
  answer: (body: Record<string, unknown>, asker: Asker) => Record<string, unknown>
}

export interface Asker {
  manager: string
  now: number
  warnings: string[]
}

const USER = { username: 'trainyard', groups: ['system:masters', 'system:authenticated'] }

const review = (
  group: string,
  kind: string,
  answer: VirtualResource['answer'],
  namespaced = false,
): VirtualResource => ({
  group,
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  kind,
  namespaced,
  verbs: ['create'],
  answer,
})

/** Whoever has the token may do everything; the reviews say so. */
export const VIRTUAL: readonly VirtualResource[] = [
  review('authorization.k8s.io', 'SelfSubjectAccessReview', answerAccess),
  review('authorization.k8s.io', 'SelfSubjectRulesReview', (body) => {
    if (!valueAt(body, ['spec', 'namespace'])) throw badRequest('no namespace on request')
    return {
      spec: {},
      status: {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      },
    }
  }),
  review('authentication.k8s.io', 'SelfSubjectReview', (_body, { now }) => ({
    metadata: { creationTimestamp: timestamp(now) },
    status: { userInfo: USER },
  })),
]

const ACCESS = 'io.k8s.api.authorization.v1.SelfSubjectAccessReview'
const ACCESS_REVIEW: Tracked = {
  group: 'authorization.k8s.io',
  version: 'v1',
  schema: kubernetesSchema(ACCESS),
  definition: ACCESS,
  custom: false,
  statusSubresource: false,
}

function answerAccess(body: Record<string, unknown>, asker: Asker): Record<string, unknown> {
  const { object, unknown } = decodeAccess(body)
  asker.warnings.push(...unknown.map((field) => `unknown field "${field}"`))
  const spec = isObject(object.spec) ? object.spec : {}
  if (!spec.resourceAttributes === !spec.nonResourceAttributes) {
    const { path, verb } = (spec.nonResourceAttributes ?? {}) as { path?: string; verb?: string }
    const quoted = spec.nonResourceAttributes ? { Path: path ?? '', Verb: verb ?? '' } : null
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    throw invalid(ACCESS_REVIEW.group, '', '', [invalidValue('spec', quoted, why)])
  }
  const tracked = { metadata: {}, spec } as unknown as ApiObject
  trackUpdate(ACCESS_REVIEW, undefined, tracked, { ...asker, subresource: undefined })
  return { metadata: tracked.metadata, spec, status: { allowed: true } }
}

function decodeAccess(body: Record<string, unknown>): Decoded {
  try {
    return decodeBuiltIn(ACCESS_REVIEW.schema, body)
  } catch (error) {
    throw error instanceof DecodeError ? undecodable('SelfSubjectAccessReview', 'v1', error) : error
  }
}

export function answerVirtual(resource: VirtualResource, body: unknown, asker: Asker): Record<string, unknown> {
  const sent = isObject(body) ? body : {}
  const apiVersion = groupVersion(resource)
  const given = { kind: sent.kind || resource.kind, apiVersion: sent.apiVersion || apiVersion }
  if (given.kind !== resource.kind || given.apiVersion !== apiVersion) {
    throw refuseOtherKind(resource, { ...sent, ...given })
  }
  return { kind: resource.kind, apiVersion, metadata: {}, ...resource.answer(sent, asker) }
}
