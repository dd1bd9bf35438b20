import { expect, test } from 'vitest'
import { resolvePlain } from './scalars.ts'

// The right-hand sides are what kubectl makes of these (sigs.k8s.io/yaml over go-yaml v2).
test.each([
  ['', null],
  ['~', null],
  ['Null', null],
  ['nULL', 'nULL'],
  ['on', true],
  ['Off', false],
  ['y', true],
  ['NO', false],
  ['yEs', 'yEs'],
  ['0644', 420],
  ['0o644', 420],
  ['-0755', -493],
  ['0x1F', 31],
  ['0b101', 5],
  ['08', 8],
  ['1_000', 1000],
  ['+5', 5],
  ['-0', 0],
  ['1e3', 1000],
  ['.5', 0.5],
  ['1.', 1],
  ['1:30', '1:30'],
  ['2026-11-16', '2026-11-16'],
  ['1.2.3', '1.2.3'],
  ['-', '-'],
  ['500m', '500m'],
  ['1e999', '1e999'],
  ['.inf', undefined],
  ['-.INF', undefined],
  ['.NaN', undefined],
])('%j is read as %j', (source, value) => {
  expect(resolvePlain(source)).toBe(value)
})
