import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Api } from '../api.ts'
import type { Definition } from '../crd/definition.ts'
import { objectOf } from '../object.ts'
import type { Change } from '../store/store.ts'
import { releaseClaim } from './claim-protection.ts'
import { acceptFreedNames, emptyDefinition, emptyNamespace } from './emptying.ts'
import { createFirstObjects, ensureServiceAccount } from './first-objects.ts'
import { Garbage } from './garbage.ts'
import { settleTaints } from './node-taints.ts'
import { OldEvents } from './old-events.ts'

const CRDS = 'apiextensions.k8s.io/customresourcedefinitions'
const CLAIMS = 'persistentvolumeclaims'
const TURN = 50
const EVENTS_EVERY = 5 * 60_000
const RETRY = 1000

/** The part of Kubernetes' controllers without which its API does not keep its promises. */
export async function startCollectors(api: Api, log: (line: string) => void): Promise<() => Promise<void>> {
  const garbage = new Garbage(api)
  const queue = new Map<string, () => boolean>()
  let stopped = false
  let running: Promise<void> | undefined

  /** A task that returns false is not done and is asked again when something it waits for changes. */
  const waiting = new Map<string, () => boolean>()
  const add = (id: string, task: () => boolean): void => {
    queue.set(id, task)
    running ??= work().finally(() => {
      running = undefined
    })
  }
  const work = async (): Promise<void> => {
    await nextTurn()
    while (queue.size > 0 && !stopped) {
      for (const [id, task] of [...queue].slice(0, TURN)) {
        queue.delete(id)
        perform(id, task)
      }
      await api.store.committed().catch(() => {})
      await nextTurn()
    }
  }
  const perform = (id: string, task: () => boolean): void => {
    try {
      if (task()) waiting.delete(id)
      else waiting.set(id, task)
    } catch (error) {
      log(`${id}: ${error instanceof Error ? error.message : String(error)}`)
      setTimeout(() => !stopped && add(id, task), RETRY).unref()
    }
  }

  const follow = (change: Change): void => {
    const object = objectOf(change)
    for (const uid of garbage.follow(change, object)) {
      add(`garbage ${uid}`, () => {
        garbage.look(uid)
        return true
      })
    }
    if (change.type !== 'DELETED' && change.resource === 'namespaces') {
      const { name, deletionTimestamp } = object.metadata
      if (deletionTimestamp) add(`namespace ${name}`, () => emptyNamespace(api, object))
      else add(`account ${name}`, () => ensureServiceAccount(api, name))
    }
    if (change.type !== 'DELETED' && change.resource === CRDS && object.metadata.deletionTimestamp) {
      add(`definition ${change.name}`, () => emptyDefinition(api, object as Definition))
    }
    if (change.type !== 'DELETED' && change.resource === 'nodes')
      add(`node ${change.name}`, () => settleTaints(api, change.name))
    if (change.type !== 'DELETED' && change.resource === CLAIMS && object.metadata.deletionTimestamp) {
      const { namespace, name } = change
      add(`claim ${namespace}/${name}`, () => releaseClaim(api, namespace, name))
    }
    if (change.type === 'DELETED' && change.resource === CRDS)
      add(`names ${change.name}`, () => acceptFreedNames(api, (object as Definition).spec.group))
    if (change.type === 'DELETED') for (const [id, task] of waiting) add(id, task)
  }

  for (const resource of api.registry.stored()) {
    for (const row of api.store.list({ resource: resource.storageKey, limit: 1_000_000 })) {
      follow({ ...row, resource: resource.storageKey, type: 'ADDED', prev: undefined })
    }
  }
  const unsubscribe = api.store.onChange(follow)
  createFirstObjects(api)
  await api.store.committed()
  const oldEvents = new OldEvents(api)
  const timer = setInterval(() => {
    try {
      oldEvents.delete()
    } catch (error) {
      // A full disk, most likely: it is tried again next time.
      log(`old events: ${error instanceof Error ? error.message : String(error)}`)
    }
  }, EVENTS_EVERY)
  timer.unref()
  return async () => {
    stopped = true
    unsubscribe()
    clearInterval(timer)
    await running
  }
}
