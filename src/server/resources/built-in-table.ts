import { crdHooks } from '../crd/crd-hooks.ts'
import type { ApiObject } from '../object.ts'
import { DecodeError, decodeBuiltIn, undecodable } from '../schema/decode-built-in.ts'
import { goMessage, shapeLikeGo } from '../schema/go-shape.ts'
import { kubernetesSchema } from '../schema/kubernetes-schemas.ts'
import * as columns from '../table/built-in-columns.ts'
import { claimHooks } from './claim-hooks.ts'
import { configMapHooks, secretHooks } from './config-hooks.ts'
import { eventHooks } from './event-hooks.ts'
import { checkLabelName, checkPathSegment, checkSubdomain } from './name-rules.ts'
import { namespaceHooks } from './namespace-hooks.ts'
import { endpointsHooks, leaseHooks, nodeHooks, priorityClassHooks } from './plain-hooks.ts'
import { podHooks } from './pod/pod-hooks.ts'
import { ALL_VERBS, type Column, type Resource } from './resource.ts'
import { serviceHooks } from './service-hooks.ts'

export type Hooks = Pick<Resource, 'prepare' | 'prepareStatus' | 'validate' | 'warn' | 'wrote' | 'terminate'> & {
  /** Runs while decoding; what it sets counts as written by the client. */
  defaults?(object: ApiObject): void
}

interface Row
  extends Partial<
    Pick<
      Resource,
      | 'shortNames'
      | 'categories'
      | 'statusSubresource'
      | 'statusOnCreate'
      | 'subresources'
      | 'generation'
      | 'checkName'
      | 'unconditionalUpdate'
      | 'verbs'
    >
  > {
  group?: string
  version?: string
  kind: string
  plural: string
  namespaced?: boolean
  definition: string
  columns: readonly Column[]
  fields?: Readonly<Record<string, readonly string[]>>
  hooks?: Hooks
}

const core = 'io.k8s.api.core.v1.'

const POD_FIELDS = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.podIP',
  'status.nominatedNodeName',
]
const EVENT_FIELDS = [
  ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (field) => `involvedObject.${field}`,
  ),
  'reason',
  'reportingComponent',
  'source',
  'type',
]
const paths = (names: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(names.map((name) => [name, name.split('.')]))

/** One row per kind; everything else follows from it. */
const ROWS: readonly Row[] = [
  {
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
    // Whoever deletes all of them at once has mistyped.
    verbs: ALL_VERBS.filter((verb) => verb !== 'deletecollection'),
    shortNames: ['ns'],
    definition: `${core}Namespace`,
    statusSubresource: true,
    subresources: ['finalize'],
    checkName: checkLabelName,
    columns: columns.namespace,
    fields: paths(['status.phase']),
    hooks: namespaceHooks,
  },
  {
    kind: 'Node',
    plural: 'nodes',
    namespaced: false,
    shortNames: ['no'],
    definition: `${core}Node`,
    statusSubresource: true,
    statusOnCreate: true,
    columns: columns.node,
    fields: paths(['spec.unschedulable']),
    hooks: nodeHooks,
  },
  {
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    definition: `${core}Pod`,
    statusSubresource: true,
    subresources: ['binding', 'eviction', 'log', 'exec', 'attach', 'portforward'],
    generation: true,
    columns: columns.pod,
    fields: paths(POD_FIELDS),
    hooks: podHooks,
  },
  {
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    definition: `${core}Service`,
    statusSubresource: true,
    checkName: checkLabelName,
    columns: columns.service,
    fields: paths(['spec.clusterIP', 'spec.type']),
    hooks: serviceHooks,
  },
  {
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    definition: `${core}Endpoints`,
    columns: columns.endpoints,
    hooks: endpointsHooks,
  },
  {
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    definition: `${core}ConfigMap`,
    columns: columns.configMap,
    hooks: configMapHooks,
  },
  {
    kind: 'Secret',
    plural: 'secrets',
    definition: `${core}Secret`,
    columns: columns.secret,
    fields: paths(['type']),
    hooks: secretHooks,
  },
  {
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    definition: `${core}Event`,
    columns: columns.event,
    fields: paths(EVENT_FIELDS),
    hooks: eventHooks,
  },
  {
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    definition: `${core}ServiceAccount`,
    columns: columns.serviceAccount,
  },
  {
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    definition: `${core}PersistentVolumeClaim`,
    statusSubresource: true,
    columns: columns.claim,
    hooks: claimHooks,
  },
  {
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    definition: 'io.k8s.api.coordination.v1.Lease',
    unconditionalUpdate: false,
    columns: columns.lease,
    hooks: leaseHooks,
  },
  {
    group: 'scheduling.k8s.io',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    namespaced: false,
    shortNames: ['pc'],
    definition: 'io.k8s.api.scheduling.v1.PriorityClass',
    generation: true,
    columns: columns.priorityClass,
    hooks: priorityClassHooks,
  },
  {
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    namespaced: false,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    definition: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
    statusSubresource: true,
    generation: true,
    unconditionalUpdate: false,
    checkName: checkPathSegment,
    columns: columns.crd,
    hooks: crdHooks,
  },
]

export const BUILT_IN: readonly Resource[] = ROWS.map(buildResource)

function buildResource(row: Row): Resource {
  const group = row.group ?? ''
  const version = row.version ?? 'v1'
  const schema = kubernetesSchema(row.definition)
  const message = goMessage(row.definition)
  const { defaults, ...hooks } = row.hooks ?? {}
  return {
    group,
    version,
    plural: row.plural,
    singular: row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    namespaced: row.namespaced ?? true,
    shortNames: row.shortNames ?? [],
    categories: row.categories ?? [],
    verbs: row.verbs ?? ALL_VERBS,
    storageKey: group ? `${group}/${row.plural}` : row.plural,
    storageVersion: version,
    schema,
    definition: row.definition,
    custom: false,
    statusSubresource: row.statusSubresource ?? false,
    statusOnCreate: row.statusOnCreate ?? false,
    subresources: row.subresources ?? [],
    generation: row.generation ?? false,
    unconditionalUpdate: row.unconditionalUpdate ?? true,
    selectableFields: row.fields ?? {},
    columns: row.columns,
    schemaRevision: 0,
    checkName: row.checkName ?? checkSubdomain,
    ...hooks,
    decode: (raw) => {
      try {
        const decoded = decodeBuiltIn(schema, raw)
        defaults?.(decoded.object as ApiObject)
        if (message) shapeLikeGo(message, decoded.object)
        return { ...decoded, causes: [] }
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error
        throw undecodable(row.kind, version, error)
      }
    },
  }
}
