import { expect, test } from 'vitest'
import type { ApiObject } from '../object.ts'
import { BUILT_IN } from '../resources/built-in-table.ts'
import type { Resource } from '../resources/resource.ts'
import { StatusError } from '../status-error.ts'
import { FieldSet, fieldPathText } from './field-set.ts'
import { applyConfiguration, trackUpdate } from './track.ts'

const resource = BUILT_IN.find((row) => row.kind === 'Pod') as Resource
const writer = (manager: string, force = false) => ({ manager, subresource: undefined, now: 0, force })
const pod = (containers: unknown[], labels?: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...(labels ? { labels } : {}) },
  spec: { containers },
})

function apply(live: ApiObject | undefined, manager: string, config: object, force = false): ApiObject {
  const { object, finish } = applyConfiguration(
    resource,
    live,
    config as Record<string, unknown>,
    writer(manager, force),
  )
  finish(object)
  return object
}
const containersOf = (object: ApiObject) => (object.spec as { containers: unknown[] }).containers

test('items of a list belong to whoever applied them', () => {
  const first = apply(undefined, 'one', pod([{ name: 'a', image: 'x' }]))
  const both = apply(first, 'two', pod([{ name: 'b', image: 'y' }]))
  expect(containersOf(both)).toEqual([
    { name: 'a', image: 'x' },
    { name: 'b', image: 'y' },
  ])
  const left = apply(both, 'one', pod([]))
  expect(containersOf(left)).toEqual([{ name: 'b', image: 'y' }])
})

test('another value conflicts, the same value is shared, force takes over', () => {
  const first = apply(undefined, 'one', pod([{ name: 'a', image: 'x' }]))
  const same = apply(first, 'two', pod([{ name: 'a', image: 'x' }]))
  expect(same.metadata.managedFields).toHaveLength(2)
  expect(() => apply(first, 'two', pod([{ name: 'a', image: 'y' }]))).toThrow(StatusError)
  expect(() => apply(first, 'two', pod([{ name: 'a', image: 'y' }]))).toThrow(
    'Apply failed with 1 conflict: conflict with "one": .spec.containers[name="a"].image',
  )
  const forced = apply(first, 'two', pod([{ name: 'a', image: 'y' }]), true)
  expect(containersOf(forced)).toEqual([{ name: 'a', image: 'y' }])
  const back = apply(forced, 'one', pod([{ name: 'a' }]))
  expect(containersOf(back)).toEqual([{ name: 'a', image: 'y' }])
})

test('what an applier lets go stays while somebody else holds it', () => {
  const first = apply(undefined, 'one', pod([], { a: '1', b: '2' }))
  const both = apply(first, 'two', pod([], { a: '1' }))
  expect(apply(both, 'one', pod([])).metadata.labels).toEqual({ a: '1' })
})

test('an update owns what it changes and takes it from others', () => {
  const live = apply(undefined, 'one', pod([], { a: '1', b: '2' }))
  const next = structuredClone(live)
  next.metadata.labels = { a: '9', b: '2' }
  trackUpdate(resource, live, next, { manager: 'edit', subresource: undefined, now: 0 })
  const owned = Object.fromEntries((next.metadata.managedFields ?? []).map((entry) => [entry.manager, entry.fieldsV1]))
  expect(owned.edit).toEqual({ 'f:metadata': { 'f:labels': { 'f:a': {} } } })
  expect(owned.one).toMatchObject({ 'f:metadata': { 'f:labels': { 'f:b': {} } } })
})

test('sets survive being written and read', () => {
  const json = { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {} } }, 'f:x': {} } }
  const set = FieldSet.fromJson(json)
  expect(set.toJson()).toEqual(json)
  expect([...set.paths()].map(fieldPathText)).toEqual([
    '.spec.x',
    '.spec.containers[name="a"]',
    '.spec.containers[name="a"].image',
  ])
  expect(set.minus(set).isEmpty).toBe(true)
  expect(set.union(new FieldSet()).equals(set)).toBe(true)
})
