import { delimiter, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { buildBaseEnvironment, pathFor } from './base-environment.ts'

const own = dirname(process.execPath)
const major = process.versions.node.split('.')[0]
const pathOf = (PATH: string): string => buildBaseEnvironment({ PATH }).PATH!
const machine = pathOf('/usr/local/bin:/usr/bin')

test('the Node that runs this is there for machines that have none, after all others', () => {
  expect(machine.split(delimiter)).toEqual(['/usr/local/bin', '/usr/bin', own])
})

test.each([`node:${major}`, `node:${major}-alpine`, `docker.io/library/node:${major}.1.0`, `docker.io/node:${major}`])(
  'for %s it comes first',
  (image) => {
    expect(pathFor(image, machine).split(delimiter)).toEqual([own, '/usr/local/bin', '/usr/bin'])
  },
)

test.each([
  undefined,
  '',
  'node',
  'node:lts',
  'node:8',
  `node:${major}0`,
  `registry.example/node:${major}`,
  'python:3.11',
])('for %s the machine decides', (image) => {
  expect(pathFor(image, machine)).toBe(machine)
})

test('a directory of ours that the machine has on its PATH keeps its place', () => {
  const path = pathOf(`/venv/bin:${own}`)
  expect(pathFor(`node:${major}`, path)).toBe(path)
})
