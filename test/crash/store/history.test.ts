import { expect, test } from 'vitest'
import { type Deed, type EventType, type History, judgeHistory, type Seen, type Stretch } from './history.ts'

const seen = (type: EventType, name: string, value: number, revision: number): Seen => ({ type, name, value, revision })
const done = (type: EventType, name: string, value: number, revision?: number): Deed => ({
  type,
  name,
  value,
  acknowledged: true,
  ...(revision === undefined ? {} : { revision }),
})

const deeds: Deed[] = [
  done('ADDED', 'a', 1, 5),
  done('ADDED', 'b', 2, 6),
  done('MODIFIED', 'a', 3, 7),
  done('DELETED', 'b', 2),
  { type: 'MODIFIED', name: 'a', value: 4, acknowledged: false },
]
const events = [
  seen('ADDED', 'a', 1, 5),
  seen('ADDED', 'b', 2, 6),
  seen('MODIFIED', 'a', 3, 7),
  seen('DELETED', 'b', 2, 9),
]
const final = [seen('ADDED', 'a', 3, 7)]
const stretch: Stretch = { revision: 4, items: [], events }
const watcher = (...stretches: Stretch[]) => ({ stretches, wants: () => true })
const sound: History = { deeds, watchers: [watcher(stretch), watcher(stretch)], final }

/** The second watcher was told these instead. */
const told = (...others: Seen[]): History => ({
  ...sound,
  watchers: [watcher(stretch), watcher({ ...stretch, events: others })],
})
const [first, second, third, fourth] = events as [Seen, Seen, Seen, Seen]

test('a sound history has nothing against it', () => {
  expect(judgeHistory(sound)).toEqual([])
})

test('a write without an answer may have happened', () => {
  const more = [...events, seen('MODIFIED', 'a', 4, 10)]
  const watchers = [watcher({ ...stretch, events: more })]
  expect(judgeHistory({ deeds, watchers, final: [seen('ADDED', 'a', 4, 10)] })).toEqual([])
})

test('who had to take a new list need not know what was before it', () => {
  const late = { revision: 8, items: [seen('ADDED', 'a', 3, 7), seen('ADDED', 'b', 2, 6)], events: [fourth] }
  const watchers = [watcher(stretch), watcher({ ...stretch, events: [first] }, late)]
  expect(judgeHistory({ ...sound, watchers })).toEqual([])
})

test('who asked for some is held to those alone', () => {
  const onlyB = { stretches: [{ ...stretch, events: [second, fourth] }], wants: (name: string) => name === 'b' }
  expect(judgeHistory({ ...sound, watchers: [watcher(stretch), onlyB] })).toEqual([])
  const partly = { ...onlyB, stretches: [{ ...stretch, events: [second] }] }
  expect(judgeHistory({ ...sound, watchers: [watcher(stretch), partly] }).join('\n')).toMatch(/^untold: watcher 1/m)
})

test.each<[string, History, RegExp]>([
  ['a write that is gone', { ...sound, final: [] }, /^lost: MODIFIED a=3 was acknowledged, and in the end nothing/m],
  ['an old state', { ...sound, final: [seen('ADDED', 'a', 1, 5)] }, /^lost: MODIFIED a=3/m],
  ['a deletion undone', { ...sound, final: [...final, seen('ADDED', 'b', 2, 6)] }, /^lost: DELETED b=2/m],
  ['a write nobody was told', { ...sound, deeds: [...deeds, done('ADDED', 'c', 9, 8)] }, /^lost: ADDED c=9/m],
  ['a repeated event', told(first, second, third, third, fourth), /^repeated: watcher 1/m],
  ['an event the list had', told(seen('ADDED', 'z', 8, 4), ...events), /^repeated: watcher 1/m],
  ['reordered events', told(second, first, third, fourth), /^reordered: watcher 1/m],
  ['an event never told', told(first, second, fourth), /^untold: watcher 1 was never told revision 7/m],
  ['the last event never told', told(first, second, third), /^untold: watcher 1 was never told revision 9/m],
  ['a revision given out twice', told(seen('ADDED', 'c', 8, 5), second, third, fourth), /^changed: revision 5/m],
  [
    'another revision than acknowledged',
    { ...sound, deeds: [done('ADDED', 'a', 1, 4), ...deeds.slice(1)] },
    /^changed: ADDED a=1/m,
  ],
  ['a change of nothing', told(seen('MODIFIED', 'a', 1, 5), second, third, fourth), /^impossible: watcher 1/m],
  [
    'a state the list does not have',
    told(first, second, third, seen('MODIFIED', 'b', 2, 9)),
    /^differs: watcher 1 has b/m,
  ],
])('%s is found', (_, history, pattern) => {
  expect(judgeHistory(history).join('\n')).toMatch(pattern)
})
