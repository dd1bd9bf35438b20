import { buildCustomResources } from '../crd/custom-resource.ts'
import { compareVersions, type Definition } from '../crd/definition.ts'
import { isTrue } from '../crd/names.ts'
import { objectOf, parseObject } from '../object.ts'
import type { Change, Store } from '../store/store.ts'
import { BUILT_IN } from './built-in-table.ts'
import type { Resource } from './resource.ts'
import { VIRTUAL } from './virtual.ts'

const OWN_GROUPS = new Set([...BUILT_IN, ...VIRTUAL].map((resource) => resource.group))
const CRDS = 'apiextensions.k8s.io/customresourcedefinitions'

/** All resources that are served now: the built-in rows and those of stored definitions. */
export class Registry {
  readonly #rows = new Map<string, Resource>()
  readonly #ofDefinition = new Map<string, string[]>()
  #version = 0

  constructor(store: Store) {
    for (const resource of BUILT_IN) this.#rows.set(idOf(resource.group, resource.version, resource.plural), resource)
    for (const row of store.list({ resource: CRDS, limit: 1_000_000 })) {
      this.#define(parseObject(row.body) as Definition, row.rev)
    }
    store.onChange((change) => this.#follow(change))
  }

  /** Changes whenever the set of resources does; for answers worth keeping. */
  get version(): number {
    return this.#version
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#rows.get(idOf(group, version, plural))
  }

  ofKind(apiVersion: string, kind: string): Resource | undefined {
    const [version = '', group = ''] = apiVersion.split('/').reverse()
    for (const row of this.#rows.values())
      if (row.kind === kind && row.group === group && row.version === version) return row
    return undefined
  }

  /** A group of the server itself, not of somebody's definition. */
  isOwnGroup(group: string): boolean {
    return OWN_GROUPS.has(group)
  }

  all(): Resource[] {
    return [...this.#rows.values()]
  }

  /** One row per stored resource, in its storage version (or the first served). */
  stored(): Resource[] {
    const byKey = new Map<string, Resource>()
    for (const row of this.#rows.values()) {
      if (!byKey.has(row.storageKey) || row.version === row.storageVersion) byKey.set(row.storageKey, row)
    }
    return [...byKey.values()]
  }

  /** Groups with their versions, preferred first. */
  groups(): Map<string, string[]> {
    const groups = new Map<string, string[]>()
    for (const { group, version } of this.#rows.values()) {
      const versions = groups.get(group) ?? []
      if (!versions.includes(version)) groups.set(group, [...versions, version].sort(compareVersions))
    }
    return groups
  }

  #follow(change: Change): void {
    if (change.resource !== CRDS) return
    this.#forget(change.name)
    if (change.type !== 'DELETED') this.#define(objectOf(change) as Definition, change.rev)
    this.#version++
  }

  #define(definition: Definition, revision: number): void {
    const ids: string[] = []
    this.#ofDefinition.set(definition.metadata.name, ids)
    if (!isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) return
    for (const resource of buildCustomResources(definition, revision)) {
      const id = idOf(resource.group, resource.version, resource.plural)
      if (this.#rows.get(id)?.custom === false) continue
      this.#rows.set(id, resource)
      ids.push(id)
    }
  }

  #forget(name: string): void {
    for (const id of this.#ofDefinition.get(name) ?? []) this.#rows.delete(id)
    this.#ofDefinition.delete(name)
  }
}

const idOf = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`
