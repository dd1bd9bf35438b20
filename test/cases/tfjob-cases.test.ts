import { afterAll, describe, expect, test } from 'vitest'
import { closingLine } from '../closing-line.ts'
import { editionsOf, expectationsOf, Given, loadCases } from './case.ts'
import { DRIVERS } from './drivers/index.ts'
import { LEFT_OUT } from './left-out.ts'

const cases = loadCases()
const reasons = new Map(LEFT_OUT.map(({ id, reason }) => [id, reason]))
for (const { id, kind } of cases) if (kind === 'PyTorchJob') reasons.set(id, 'kind')
const applied = cases.filter(({ id }) => !reasons.has(id))
let ran = 0

describe.each(applied)('$id $name', (one) => {
  const editions = editionsOf(one)
  test.each(editions)('%s', async (edition) => {
    const driver = DRIVERS[`${one.category}: ${one.when}`]
    if (!driver) throw new Error(`nothing applies ${one.category}: ${one.when}`)
    const given = new Given(one.given)
    const answers = await driver(given, edition)
    const expectations = Object.entries(expectationsOf(one, edition))
    for (const [key, expected] of expectations) {
      expect(answers, `${key} is not looked at`).toHaveProperty([key])
      const answer = answers[key]
      expect(typeof answer === 'function' ? answer(expected) : answer, key).toEqual(expected)
    }
    expect(expectations.length, 'a case that expects nothing proves nothing').toBeGreaterThan(0)
    expect(given.unseen, 'given, but not looked at').toEqual([])
    if (edition === editions.at(-1)) ran += 1
  })
})

test('every case left out exists and has a reason', () => {
  const ids = new Set(cases.map(({ id }) => id))
  expect(LEFT_OUT.filter(({ id, why }) => !ids.has(id) || why === '')).toEqual([])
})

afterAll(() => {
  const count = (wanted: string): number => [...reasons.values()].filter((reason) => reason === wanted).length
  const left = `kind ${count('kind')}, internals ${count('internals')}, ruled ${count('ruled')}`
  closingLine(`tfjob-cases: ${ran} applied, ${cases.length - applied.length} left out (${left})`)
})
