import { expect, test } from 'vitest'
import { parseTarget } from './request-target.ts'

test.each([
  ['/api/v1/pods', { group: '', version: 'v1', plural: 'pods' }],
  ['/api/v1/namespaces/n/pods', { group: '', version: 'v1', plural: 'pods', namespace: 'n' }],
  ['/api/v1/namespaces/n/pods/p/log?follow=true', { plural: 'pods', namespace: 'n', name: 'p', subresource: 'log' }],
  ['/api/v1/namespaces', { plural: 'namespaces', namespace: undefined }],
  ['/api/v1/namespaces/n', { plural: 'namespaces', name: 'n', namespace: undefined }],
  ['/api/v1/namespaces/n/status', { plural: 'namespaces', name: 'n', subresource: 'status' }],
  ['/api/v1/namespaces/n/finalize', { plural: 'namespaces', name: 'n', subresource: 'finalize' }],
  ['/apis/a.b/v2/things/x/scale', { group: 'a.b', version: 'v2', plural: 'things', name: 'x', subresource: 'scale' }],
  ['//api//v1/pods/', { group: '', plural: 'pods', name: undefined }],
])('%s', (url, expected) => {
  expect(parseTarget(url)).toMatchObject({ kind: 'resource', ...expected })
})

test.each(['/', '/api', '/api/v1', '/apis', '/apis/a.b', '/apis/a.b/v1', '/readyz', '/openapi/v3/api/v1'])(
  '%s is no resource',
  (url) => {
    expect(parseTarget(url).kind).toBe('path')
  },
)

test.each(['/api/v1/pods/..', '/api/v1/pods/%2e%2e', '/api/v1/pods/a%2Fb', '/api/v1/pods/%zz', '/api/v1/pods/%00'])(
  '%s is refused',
  (url) => {
    expect(() => parseTarget(url)).toThrow(/path segment/)
  },
)
