import { expect, test } from 'vitest'
import { type Deed, judgeHistory, type Seen } from './history.ts'

const deeds: Deed[] = [
  { name: 'a', value: 1, revision: 5 },
  { name: 'b', value: 1, revision: 6 },
  { name: 'a', value: 2, revision: 7 },
  { name: 'a', value: 3, revision: undefined },
]
const seen = (name: string, value: number, revision: number): Seen => ({ type: 'MODIFIED', name, value, revision })
const watch = [seen('a', 1, 5), seen('b', 1, 6), seen('a', 2, 7)]
const final = new Map([
  ['a', seen('a', 2, 7)],
  ['b', seen('b', 1, 6)],
])

test('a sound history has nothing against it', () => {
  expect(judgeHistory(deeds, [watch], final)).toEqual([])
})

test.each([
  ['a lost write', deeds, [watch], new Map([['b', seen('b', 1, 6)]]), /^lost: a/],
  ['an old state', deeds, [watch], new Map([...final, ['a', seen('a', 1, 5)]]), /^lost: a is at revision 5/],
  ['a repeated event', deeds, [[...watch, watch[2] as Seen]], final, /^repeated/],
  ['reordered events', deeds, [[watch[1] as Seen, watch[0] as Seen, watch[2] as Seen]], final, /^reordered/],
  ['an event never told', deeds, [watch.slice(0, 2)], final, /^untold/],
  [
    'a revision given out twice',
    [...deeds, { name: 'c', value: 4, revision: 6 }],
    [watch],
    new Map([...final, ['c', seen('c', 4, 6)]]),
    /^wrong: revision 6/,
  ],
  ['another value', deeds, [[seen('a', 9, 5), ...watch.slice(1)]], final, /^wrong/],
])('%s is found', (_, told, watches, kept, pattern) => {
  expect(judgeHistory(told, watches, kept).join('\n')).toMatch(pattern)
})
