import { expect, test } from 'vitest'
import { substitutePaths } from './mounts.ts'

const mounts = [
  { mountPath: '/data', source: '/v/data', readOnly: false },
  { mountPath: '/data/cache', source: '/v/cache', readOnly: false },
  { mountPath: '/job', source: '/v/job', readOnly: true },
]

test.each([
  ['/job', '/v/job'],
  ['/job/train.py', '/v/job/train.py'],
  ['--data=/data/train.bin', '--data=/v/data/train.bin'],
  ['/data/cache/x:/data/y', '/v/cache/x:/v/data/y'],
  ['cat "/data/a" </job/b; ls /data', 'cat "/v/data/a" </v/job/b; ls /v/data'],
  ['/database', '/database'],
  ['/data-old', '/data-old'],
  ['/data.txt', '/data.txt'],
  ['/mnt/data', '/mnt/data'],
  ['http://host/data', 'http://host/data'],
  ['./data ../job ~/data', './data ../job ~/data'],
  ['$HOME/data ${HOME}/data $(X)/data', '$HOME/data ${HOME}/data $(X)/data'],
  ['{"dir": "/data"}', '{"dir": "/v/data"}'],
])('%j becomes %j', (text, expected) => {
  expect(substitutePaths(text, mounts)).toBe(expected)
})

test('what was put in is not looked at again', () => {
  const nested = [{ mountPath: '/v', source: '/v/data/v', readOnly: false }]
  expect(substitutePaths('/v/x', nested)).toBe('/v/data/v/x')
})
