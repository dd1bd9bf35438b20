import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

test('every way to say where logs lie is understood', () => {
  const { sources, problems } = readSources({
    trainingLogFilesets: ['t9k://pvc/runs/a/b/', 't9k://pvc/whole', 't9k://minio/keys/bucket/logs'],
    logDir: {
      pvc: [
        { name: 'one', subPath: ['x', 'y'] },
        { name: 'two', subpath: 'z' },
        { name: 'three' },
        { name: 'four', subPath: [] },
      ],
      s3: { secretRef: { name: 'aws' }, uri: ['s3://b/p'] },
      http: { url: ['https://logs.example/run'] },
    },
  })
  expect(problems).toEqual([])
  expect(sources).toEqual([
    { kind: 'claim', claim: 'runs', path: 'a/b' },
    { kind: 'claim', claim: 'whole', path: '' },
    { kind: 's3', uri: 's3://bucket/logs', secret: 'keys' },
    { kind: 'claim', claim: 'one', path: 'x' },
    { kind: 'claim', claim: 'one', path: 'y' },
    { kind: 'claim', claim: 'two', path: 'z' },
    { kind: 'claim', claim: 'three', path: '' },
    { kind: 'claim', claim: 'four', path: '' },
    { kind: 's3', uri: 's3://b/p', secret: 'aws' },
    { kind: 'http', url: 'https://logs.example/run' },
  ])
})

test.each([
  [{}, 'neither trainingLogFilesets nor logDir names a place'],
  [{ trainingLogFilesets: ['/logs'] }, 'trainingLogFilesets "/logs" is neither t9k://pvc/<claim>/<path>'],
  [{ trainingLogFilesets: ['t9k://minio/keys'] }, 'is neither t9k://pvc/<claim>/<path> nor t9k://minio/'],
  [{ trainingLogFilesets: ['t9k://pvc/runs/../other'] }, 'leads out of the claim'],
  [{ logDir: { pvc: [{ name: 'runs', subPath: '..' }] } }, 'logDir.pvc runs: ".." leads out of the claim'],
  [{ logDir: { s3: { uri: ['bucket/p'] } } }, 'logDir.s3.uri "bucket/p" is not s3://<bucket>/<path>'],
  [{ logDir: { http: { url: ['ftp://x'] } } }, 'logDir.http.url "ftp://x" is not an http address'],
])('%j: %s', (spec, words) => {
  const { sources, problems } = readSources(spec)
  expect(sources).toEqual([])
  expect(problems.join()).toContain(words)
})
