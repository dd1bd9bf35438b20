import { isObject } from '../../lib/json.ts'
import type { Verb } from './resource.ts'

/** Kinds that are answered and never stored. */
export interface VirtualResource {
  group: string
  version: string
  plural: string
  singular: string
  kind: string
  namespaced: boolean
  verbs: readonly Verb[]
  answer: (body: Record<string, unknown>) => Record<string, unknown>
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
  review('authorization.k8s.io', 'SelfSubjectAccessReview', () => ({ status: { allowed: true } })),
  review('authorization.k8s.io', 'SelfSubjectRulesReview', () => ({
    status: {
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    },
  })),
  review('authentication.k8s.io', 'SelfSubjectReview', () => ({ status: { userInfo: USER } })),
]

export function answerVirtual(resource: VirtualResource, body: unknown): Record<string, unknown> {
  const sent = isObject(body) ? body : {}
  return {
    kind: resource.kind,
    apiVersion: `${resource.group}/${resource.version}`,
    metadata: {},
    ...(sent.spec === undefined ? {} : { spec: sent.spec }),
    ...resource.answer(sent),
  }
}
