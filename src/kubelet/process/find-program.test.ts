import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CannotStart, findProgram } from './find-program.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'find-'))
  mkdirSync(join(dir, 'bin'))
  for (const name of ['python', 'perl', 'plain']) writeFileSync(join(dir, 'bin', name), '#!/bin/sh\n')
  chmodSync(join(dir, 'bin/python'), 0o755)
  chmodSync(join(dir, 'bin/perl'), 0o755)
})
afterAll(() => rmSync(dir, { recursive: true }))

const failure = (name: string) => {
  try {
    return findProgram(name, `${dir}/bin:/nowhere`, dir)
  } catch (error) {
    const { exitCode, message } = error as CannotStart
    return [exitCode, message]
  }
}

test('a program is found on PATH, by an absolute and by a relative path', () => {
  expect(failure('python')).toBe(join(dir, 'bin/python'))
  expect(failure(join(dir, 'bin/perl'))).toBe(join(dir, 'bin/perl'))
  expect(failure('./bin/perl')).toBe(join(dir, 'bin/perl'))
})

test('a mistyped program is answered with the PATH and the nearest name', () => {
  expect(failure('pyhton')).toEqual([
    127,
    `no program "pyhton" on its PATH (${dir}/bin:/nowhere); did you mean python?`,
  ])
  expect(failure('zzzzzzzz')).toEqual([127, `no program "zzzzzzzz" on its PATH (${dir}/bin:/nowhere)`])
})

test('what cannot be executed says so', () => {
  expect(failure('./bin/plain')).toEqual([126, `"./bin/plain" in ${dir} is not executable`])
  expect(failure('./bin')).toEqual([126, `"./bin" in ${dir} is a directory, not a program`])
  expect(failure('/no/such')).toEqual([127, 'no program "/no/such"'])
  expect(failure('')).toEqual([127, 'its command is an empty text'])
})
