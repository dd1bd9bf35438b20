import { expect, test } from 'vitest'
import { type Case, configMap, core, get, post } from './case.ts'
import { CASES } from './cases/index.ts'
import { countGroups, findTwins } from './groups.ts'

const maps = core('configmaps')
const make = (name: string, data: object): Case => ({
  area: 'write',
  name: `a map ${name}`,
  steps: [post(maps, configMap(name, { data })), get(`${maps}/${name}`)],
})

test('cases that differ in names only are twins, others are not', () => {
  expect(findTwins([make('a', { k: '1' }), make('b', { k: '1' })])).toEqual([['write: a map a', 'write: a map b']])
  expect(findTwins([make('a', { k: '1' }), make('b', { k: '2' })])).toEqual([])
})

test('there are enough cases of each sort, all different, each with a title of its own', () => {
  expect(findTwins(CASES)).toEqual([])
  for (const { name, count, least } of countGroups(CASES)) expect(count, name).toBeGreaterThanOrEqual(least)
  const titles = CASES.map((one) => `${one.area}: ${one.name}`)
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
})
