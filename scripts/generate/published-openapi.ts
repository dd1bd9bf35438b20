// Takes what a genuine kube-apiserver publishes about the kinds we serve into gen/kubernetes-openapi-v3.json: with its
// prose and its enumerations, which the document in the Go module lacks. `kubectl explain` prints them.
import { startControlPlane } from '../real/control-plane.ts'
import { ROOTS } from './kubernetes-openapi.ts'

const DOCUMENTS = [
  'api/v1',
  'apis/apiextensions.k8s.io/v1',
  'apis/apps/v1',
  'apis/authorization.k8s.io/v1',
  'apis/coordination.k8s.io/v1',
  'apis/scheduling.k8s.io/v1',
]
const REF = /"\$ref":"#\/components\/schemas\/([^"]+)"/g
/** Taken into the definitions of other kinds, never shown by themselves. */
const NOT_SERVED = new Set(['io.k8s.api.apps.v1.Deployment'])

type Schemas = Record<string, Record<string, unknown>>

export async function readPublished(): Promise<Schemas> {
  const { request, Agent } = await import('undici')
  const plane = await startControlPlane({ say: (line) => console.log(line) })
  try {
    const { ca, admin, url } = plane
    const dispatcher = new Agent({ connect: { ca, cert: admin.cert, key: admin.key } })
    const all: Schemas = {}
    for (const document of DOCUMENTS) {
      const { body } = await request(`${url}/openapi/v3/${document}`, { dispatcher })
      const { components } = (await body.json()) as { components: { schemas: Schemas } }
      Object.assign(all, components.schemas)
    }
    await dispatcher.close()
    return reachable(all)
  } finally {
    await plane.stop()
  }
}

function reachable(all: Schemas): Schemas {
  const taken: Schemas = {}
  const take = (name: string): void => {
    const schema = all[name]
    if (taken[name]) return
    if (!schema) throw new Error(`kube-apiserver publishes no ${name}`)
    // Which kinds a definition is used by is said by whoever serves it.
    const { 'x-kubernetes-group-version-kind': _, ...rest } = schema
    taken[name] = rest
    for (const [, below = ''] of JSON.stringify(rest).matchAll(REF)) take(below)
  }
  for (const root of ROOTS) if (!NOT_SERVED.has(root)) take(root)
  return Object.fromEntries(Object.entries(taken).sort(([a], [b]) => (a < b ? -1 : 1)))
}
