import type { Reply } from '../http/respond.ts'
import type { Registry } from '../resources/registry.ts'
import { KUBERNETES_VERSION } from '../version.ts'
import { buildDefinitions } from './schemas.ts'

/** The older form of the same definitions; paths are left to v3. */
export function openApiV2(registry: Registry): Reply {
  return {
    code: 200,
    body: {
      swagger: '2.0',
      info: { title: 'Kubernetes', version: KUBERNETES_VERSION },
      paths: {},
      definitions: buildDefinitions(registry.all(), '#/definitions/'),
    },
  }
}
