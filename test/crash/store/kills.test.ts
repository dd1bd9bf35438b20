import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { elapsed } from '../../../scripts/elapsed.ts'
import { STORE_POINTS } from '../../../src/server/store/store.ts'
import { closingLine } from '../../closing-line.ts'
import { type Death, liveAndDie } from './live-and-die.ts'
import type { Mistake } from './serve.ts'

const KILLS = Number(process.env.TRAINYARD_KILLS ?? 100)

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-crash-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Every named moment in turn, and now and then any; another passing each time, so that the batch it falls into differs too. */
function planDeath(i: number): Death | undefined {
  const point = STORE_POINTS[i % (STORE_POINTS.length + 1)]
  const round = Math.floor(i / (STORE_POINTS.length + 1))
  return point && { point, passing: 1 + (point.endsWith('compact') ? round % 5 : (i * 7) % 20) }
}

test(
  `${KILLS} kills at named moments and at any: nothing acknowledged is lost, watchers are told everything once and in order`,
  async () => {
    const start = performance.now()
    const deaths = Array.from({ length: KILLS }, (_, i) => planDeath(i))
    const outcome = await liveAndDie({
      dir: scratch(),
      deaths,
      say: (line) => console.log(`test:crash: ${elapsed(start).padStart(7)}  ${line}`),
    })
    expect(outcome.wrong).toEqual([])
    expect(outcome.acknowledged).toBeGreaterThan(KILLS)
    if (KILLS > STORE_POINTS.length)
      expect([...outcome.kills.keys()]).toEqual(expect.arrayContaining([...STORE_POINTS]))
    const { acknowledged, uncertain, events, resumes, relists, kills } = outcome
    const each = [...kills].map(([moment, count]) => `${moment} ${count}`).join(', ')
    closingLine(
      `test:crash store: ${KILLS} kills (${each}); ${acknowledged} acknowledged writes and ${uncertain} without an answer, 0 lost; ` +
        `${events} events to 4 watchers over ${resumes} resumes and ${relists} new lists, 0 lost, repeated or reordered`,
    )
  },
  60_000 + KILLS * 15_000,
)

/** Each a mistake one might make; planted in the server that runs, it must be found. */
const BUGS: Array<{ name: string; found: RegExp; point: Death['point']; mistakes: Mistake[] }> = [
  {
    name: 'a lost write: acknowledged before it is on disk',
    found: /^lost: /m,
    point: 'before commit',
    mistakes: [
      {
        file: 'store/store.ts',
        text: 'return this.#batch?.done ?? Promise.resolve()',
        instead: 'return Promise.resolve()',
      },
    ],
  },
  {
    name: 'a repeated event: a resumed watch begins with the revision it was given',
    found: /^repeated: /m,
    point: 'after notify',
    mistakes: [{ file: 'verbs/watch.ts', text: 'this.#sent = from\n', instead: 'this.#sent = from - 1\n' }],
  },
  {
    name: 'reordered events: the changes of a commit are told from the last to the first',
    found: /^reordered: /m,
    point: 'after notify',
    mistakes: [
      { file: 'store/store.ts', text: 'of batch.changes) {', instead: 'of batch.changes.toReversed()) {' },
      { file: 'verbs/watch.ts', text: 'if (change.rev <= this.#sent) return\n', instead: '\n' },
    ],
  },
  {
    name: 'a lost event: a resumed watch skips what came next',
    found: /^untold: /m,
    point: 'after commit',
    mistakes: [{ file: 'store/store.ts', text: 'v.rev > ? AND v.rev <= ?', instead: 'v.rev > ? + 1 AND v.rev <= ?' }],
  },
]

test.each(BUGS)(
  'found when planted in the server: $name',
  async ({ found, point, mistakes }) => {
    const deaths = [12, 23].map((passing) => ({ point, passing }))
    const wrong: string[] = []
    // Whether a mistake shows depends on which writes meet in one commit.
    for (let tries = 0; tries < 5 && !found.test(wrong.join('\n')); tries++) {
      wrong.push(...(await liveAndDie({ dir: scratch(), deaths, mistakes })).wrong)
    }
    expect(wrong.join('\n')).toMatch(found)
  },
  600_000,
)
