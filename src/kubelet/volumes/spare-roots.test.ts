import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Point } from './skeleton.ts'
import { provideRoot, spareRoot } from './spare-roots.ts'

const POINTS: Point[] = [
  { path: '/usr', kind: 'directory' },
  { path: '/bin', kind: 'link', to: 'usr/bin' },
  { path: '/data', kind: 'directory' },
  { path: '/data/inner', kind: 'directory' },
  { path: '/swap', kind: 'file' },
]

let dir = ''
let spare = ''
let root = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-roots-'))
  spare = join(dir, 'roots')
  root = join(dir, 'root')
})
afterEach(() => rmSync(dir, { recursive: true }))

const kept = (): string[] => (existsSync(spare) ? readdirSync(spare) : [])

test('a root that was given back as it was made is the next one of its shape', () => {
  provideRoot(root, POINTS, spare)
  expect(readlinkSync(join(root, 'bin'))).toBe('usr/bin')
  expect(readdirSync(join(root, 'data'))).toEqual(['inner'])
  spareRoot(root, spare)
  expect(existsSync(root)).toBe(false)
  expect(kept()).toHaveLength(1)
  provideRoot(root, POINTS, spare)
  expect(readdirSync(root).sort()).toEqual(['bin', 'data', 'swap', 'usr'])
  expect(kept()).toEqual([])
})

test('a root of another shape is made anew', () => {
  provideRoot(root, POINTS, spare)
  spareRoot(root, spare)
  provideRoot(root, POINTS.slice(0, 2), spare)
  expect(readdirSync(root).sort()).toEqual(['bin', 'usr'])
  expect(kept()).toHaveLength(1)
})

test.each<[string, () => void]>([
  ['a file', () => writeFileSync(join(root, 'left'), 'something')],
  ['something in a file that was empty', () => writeFileSync(join(root, 'swap'), 'something')],
  ['other rights', () => chmodSync(root, 0o777)],
])('a root in which a program has left %s is not given to another', (_, leave) => {
  provideRoot(root, POINTS, spare)
  leave()
  spareRoot(root, spare)
  provideRoot(join(dir, 'next'), POINTS, spare)
  expect(readdirSync(join(dir, 'next')).sort()).toEqual(['bin', 'data', 'swap', 'usr'])
  expect(existsSync(root)).toBe(true)
})

test('an empty directory that a program has left is not seen by the next one', () => {
  provideRoot(root, POINTS, spare)
  mkdirSync(join(root, 'left'))
  spareRoot(root, spare)
  provideRoot(root, POINTS, spare)
  expect(existsSync(join(root, 'left'))).toBe(false)
})

test('of one shape no more are kept than anyone needs, and those of another make room', () => {
  const give = (points: Point[]): void => {
    provideRoot(root, points, undefined)
    spareRoot(root, spare)
    rmSync(root, { recursive: true, force: true })
  }
  for (let i = 0; i < 70; i++) give(POINTS.slice(0, 1))
  expect(kept()).toHaveLength(64)
  const before = kept()
  give(POINTS.slice(2, 3))
  expect(kept()).toHaveLength(64)
  expect(kept().filter((name) => !before.includes(name))).toHaveLength(1)
})
