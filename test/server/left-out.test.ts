import { expect, test } from 'vitest'
import { BUILT_IN } from '../../src/server/resources/built-in-table.ts'
import type { Resource } from '../../src/server/resources/resource.ts'
import { startTestServer } from './client.ts'

test('what is left out is answered with 404 or 405', async () => {
  const server = await startTestServer()
  for (const [method, path, code] of [
    ['GET', '/apis/apps/v1/deployments', 404],
    ['GET', '/apis/apps/v1/namespaces/default/controllerrevisions', 404],
    ['GET', '/apis/events.k8s.io/v1/events', 404],
    ['GET', '/apis/discovery.k8s.io/v1/endpointslices', 404],
    ['POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', 404],
    ['GET', '/api/v1/replicationcontrollers', 404],
    ['GET', '/api/v1/watch/pods', 404],
    ['POST', '/api/v1/namespaces/default/serviceaccounts/default/token', 404],
    ['PUT', '/api/v1/namespaces/default/pods', 405],
    ['DELETE', '/api/v1/pods', 405],
    ['POST', '/api/v1/configmaps', 405],
    ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 405],
  ] as const) {
    const answer = await server.call(method, path, method === 'GET' ? {} : { body: {} })
    expect(answer.code, `${method} ${path}`).toBe(code)
  }
})

test('a row of the table is all a kind needs: it is found, listed and explained', async () => {
  const server = await startTestServer()
  const baseOf = ({ group, version }: Resource): string => (group ? `/apis/${group}/${version}` : `/api/${version}`)
  for (const [base, rows] of Map.groupBy(BUILT_IN, baseOf)) {
    const { resources } = (await server.get(base)).body
    const schemas = JSON.stringify((await server.get(`/openapi/v3${base}`)).body.components.schemas)
    for (const { plural, kind, listKind } of rows) {
      expect(resources).toContainEqual(expect.objectContaining({ name: plural, kind }))
      expect((await server.get(`${base}/${plural}`)).body.kind).toBe(listKind)
      expect(schemas).toContain(`"kind":"${kind}"`)
    }
  }
})
