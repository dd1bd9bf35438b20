import { area, type Case, patch, post, quiet, type Step } from '../case.ts'

// A kind of one's own for every case, in a group that is named after the case's namespace.
const one = area('crd')

// biome-ignore lint/suspicious/noExplicitAny: schemas of every kind, wrong ones too
export type Any = any

export const GROUP = '{ns}.example.com'
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const path = (rest = '', version = 'v1'): string => `/apis/${GROUP}/${version}/namespaces/{ns}/things${rest}`
export const READY: Step = { call: `GET ${path()}`, until: 200 }

export const version = (name: string, spec: Any, more: Any = {}): Any => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  },
  ...more,
})
export const definition = (versions: Any[], more: Any = {}): Any => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList', shortNames: ['th'] },
    versions,
    ...more,
  },
})
export const define = (...versions: Any[]): Step => ({ ...post(CRDS, definition(versions)), unseen: true })
export const thing = (name: string, spec: Any, more: Any = {}): Any => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Thing',
  metadata: { name, ...more.metadata },
  spec,
  ...(more.status ? { status: more.status } : {}),
})
export const object = (properties: Any, more: Any = {}): Any => ({ type: 'object', properties, ...more })
export const withSpec = (name: string, spec: Any, ...steps: Step[]): Case =>
  one(name, define(version('v1', spec)), READY, ...steps)
export const withStatus = (name: string, spec: Any, ...steps: Step[]): Case =>
  one(name, define(version('v1', spec, { subresources: { status: {} } })), READY, ...steps)
export const make = (spec: Any, query = ''): Step => post(path(query), thing('a', spec))
export const change = (spec: Any): Step => patch('merge', path('/a'), { spec })
/** A changed definition is served some moments after it was stored: from when on it refuses this. */
export const refusedBy = (spec: Any): Step => ({
  ...quiet(post(path('?dryRun=All'), thing('probe', spec))),
  until: 422,
})

export const SIMPLE = object({
  text: { type: 'string' },
  count: { type: 'integer' },
  flag: { type: 'boolean' },
  ratio: { type: 'number' },
  list: { type: 'array', items: { type: 'string' } },
})
export const rule = (rule: string, message?: string, more: Any = {}): Any => ({
  rule,
  ...(message ? { message } : {}),
  ...more,
})
export const VALIDATED = (...rules: Any[]): Any =>
  object(
    { min: { type: 'integer' }, max: { type: 'integer' }, name: { type: 'string' } },
    { 'x-kubernetes-validations': rules },
  )
