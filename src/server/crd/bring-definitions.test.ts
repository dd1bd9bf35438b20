import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildCrd, type Crd } from '../../api/build-crd.ts'
import { kinds } from '../../api/kinds.ts'
import type { Api } from '../api.ts'
import { parseObject } from '../object.ts'
import { Registry } from '../resources/registry.ts'
import { Store } from '../store/store.ts'
import { createObject } from '../verbs/create.ts'
import { bringDefinitions } from './bring-definitions.ts'

const STORAGE_KEY = 'apiextensions.k8s.io/customresourcedefinitions'
const crds = kinds.map(buildCrd)

function emptyApi(): Api {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-bring-'))
  const store = new Store(dir)
  onTestFinished(async () => {
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return { store, registry: new Registry(store), now: () => 1_700_000_000_000, pods: {} }
}

const rows = ({ store }: Api) => store.list({ resource: STORAGE_KEY, limit: 100 })

/** What does not depend on when and in how many steps it was written. */
function stored(api: Api): unknown[] {
  return rows(api).map(({ body }) => {
    const { metadata, ...rest } = parseObject(body)
    const { uid, resourceVersion, annotations, managedFields, ...kept } = metadata
    const managers = managedFields?.map(({ manager, subresource }) => [manager, subresource])
    return { ...rest, metadata: kept, managers, marked: [uid, resourceVersion].every((each) => each !== '') }
  })
}

function create(api: Api, crd: Crd): void {
  const resource = api.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')!
  const options = { dryRun: false, manager: 'trainyard', duplicates: [], warnings: [] }
  createObject(api, resource, undefined, crd, { ...options, fieldValidation: 'Strict' })
}

test('a first definition looks as if it had been created and established, step by step', async () => {
  const [brought, created] = [emptyApi(), emptyApi()]
  bringDefinitions(brought, crds)
  for (const crd of crds) create(created, structuredClone(crd))
  expect(stored(brought)).toEqual(stored(created))
  await brought.store.committed()
  for (const { group, plural } of kinds) {
    const served = brought.registry.all().filter((each) => each.group === group && each.plural === plural)
    expect(served.map(({ custom }) => custom)).not.toEqual([])
  }
})

test('the same definitions are written once; a changed one follows the program', async () => {
  const api = emptyApi()
  bringDefinitions(api, crds)
  const before = rows(api)
  bringDefinitions(api, crds)
  expect(rows(api)).toEqual(before)
  const [first, ...others] = structuredClone(crds)
  first!.spec!.names!.shortNames = ['brandnew']
  bringDefinitions(api, [first!, ...others])
  await api.store.committed()
  const changed = rows(api).filter(({ rev }, i) => rev !== before[i]!.rev)
  expect(changed.map(({ name }) => name)).toEqual([first!.metadata!.name])
  expect(api.registry.all().find(({ kind }) => kind === kinds[0]!.kind)!.shortNames).toEqual(['brandnew'])
})

test('a kind that a later version brings, or that was deleted, is made as any other', async () => {
  const api = emptyApi()
  bringDefinitions(api, crds.slice(1))
  bringDefinitions(api, crds)
  await api.store.committed()
  expect(rows(api)).toHaveLength(crds.length)
  expect(api.registry.all().some(({ kind }) => kind === kinds[0]!.kind)).toBe(true)
})
