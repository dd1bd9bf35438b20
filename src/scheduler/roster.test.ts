import { expect, test } from 'vitest'
import type { ReadPod } from './facts/read-pod.ts'
import type { PodFacts } from './place/snapshot.ts'
import { Roster } from './roster.ts'

const read = (uid: string, group: string, state: PodFacts['state']): ReadPod => {
  const facts: PodFacts = {
    ...{ uid, name: uid, namespace: 'default', group, queue: 'q', role: '', holder: uid },
    ...{ requests: new Map(), shape: '', nodeSelector: {}, state, createdAt: 0 },
  }
  const alone = { key: group, name: uid, namespace: 'default', queue: 'q', priority: 0, minMember: 1, roles: [] }
  return group.startsWith('alone') ? { facts, alone: { ...alone, createdAt: 0, whole: false } } : { facts }
}
const seen = (roster: Roster) => {
  const { pods, alone, groups } = roster.read()
  return { pods: pods.map(({ uid }) => uid).sort(), alone: alone.map(({ key }) => key), groups: [...groups].sort() }
}

test('what has ended is looked at only as long as others of its group are there', () => {
  const roster = new Roster()
  roster.enter('a', read('a', 'g', 'placed'))
  roster.enter('b', read('b', 'g', 'waiting'))
  roster.enter('a', read('a', 'g', 'succeeded'))
  expect(seen(roster)).toEqual({ pods: ['a', 'b'], alone: [], groups: ['g'] })
  roster.enter('b', undefined)
  expect(seen(roster)).toEqual({ pods: [], alone: [], groups: [] })
  roster.enter('b', read('b', 'g', 'waiting'))
  expect(seen(roster)).toEqual({ pods: ['a', 'b'], alone: [], groups: ['g'] })
  roster.leave('a')
  expect(seen(roster)).toEqual({ pods: ['b'], alone: [], groups: ['g'] })
})

test('a pod that is read again counts once, with its own group if it has one', () => {
  const roster = new Roster()
  for (const state of ['waiting', 'placed', 'leaving'] as const) roster.enter('p', read('p', 'alone/p', state))
  expect(seen(roster)).toEqual({ pods: ['p'], alone: ['alone/p'], groups: ['alone/p'] })
  roster.leave('p')
  roster.leave('p')
  expect(seen(roster)).toEqual({ pods: [], alone: [], groups: [] })
})
