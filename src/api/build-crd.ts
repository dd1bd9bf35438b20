// A kind as an API server learns it: from the schemas the commands themselves use.
import type { CustomResourceDefinition } from '../../gen/kubernetes-types.ts'
import type { Kind } from './kinds.ts'
import { emit } from './schema/schema.ts'
import type { KubeObject } from './types.ts'

export type Crd = CustomResourceDefinition & KubeObject

export function buildCrd(kind: Kind): Crd {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${kind.group}`, labels: { 'app.kubernetes.io/name': 'trainyard' } },
    spec: {
      group: kind.group,
      scope: 'Namespaced',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
        ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
      },
      conversion: { strategy: 'None' },
      versions: kind.versions.map((version) => ({
        name: version.name,
        served: true,
        storage: version.storage,
        additionalPrinterColumns: kind.columns,
        subresources: { status: {}, ...(kind.scale ? { scale: kind.scale } : {}) },
        schema: { openAPIV3Schema: emit(version.schema) },
      })),
    },
  }
  return crd as Crd
}
