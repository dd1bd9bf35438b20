import { expect, test } from 'vitest'
import { describeCall } from './api-call.ts'

test.each([
  ['GET', '/api/v1/pods', false, 'list', 'pods'],
  ['GET', '/api/v1/pods', true, 'watch', 'pods'],
  ['GET', '/api/v1/namespaces/a/pods/b', false, 'get', 'pods'],
  ['GET', '/api/v1/namespaces/a', false, 'get', 'namespaces'],
  ['POST', '/api/v1/namespaces/a/events', false, 'create', 'events'],
  [
    'PUT',
    '/apis/batch.tensorstack.dev/v1beta1/namespaces/a/genericjobs/b/status',
    false,
    'update',
    'genericjobs/status',
  ],
  ['PATCH', '/apis/apps/v1/namespaces/a/deployments/b', false, 'patch', 'deployments'],
  ['DELETE', '/api/v1/namespaces/a/pods/b', false, 'delete', 'pods'],
  ['DELETE', '/api/v1/namespaces/a/pods', false, 'deletecollection', 'pods'],
  ['GET', '/version', false, 'other', ''],
])('%s %s is %s', (method, path, watch, verb, resource) => {
  expect(describeCall(method, path, watch)).toEqual({ verb, resource })
})
