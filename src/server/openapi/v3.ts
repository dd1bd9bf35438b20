import { createHash } from 'node:crypto'
import type { Reply } from '../http/respond.ts'
import type { Registry } from '../resources/registry.ts'
import { noSuchPath } from '../status-error.ts'
import { KUBERNETES_VERSION } from '../version.ts'
import { buildPaths } from './paths.ts'
import { buildDefinitions, type Definitions, loadPublished, resourcesOf } from './schemas.ts'

interface Document {
  text: string
  hash: string
}

/** Documents are large and rarely change: kept per version of the registry. */
const cache = new WeakMap<Registry, { version: number; documents: Map<string, Document> }>()

function documentOf(registry: Registry, published: Definitions, group: string, version: string): Document | undefined {
  let kept = cache.get(registry)
  if (!kept || kept.version !== registry.version) {
    kept = { version: registry.version, documents: new Map() }
    cache.set(registry, kept)
  }
  const id = `${group}/${version}`
  let document = kept.documents.get(id)
  if (!document) {
    const resources = resourcesOf(registry, group, version)
    if (resources.length === 0) return undefined
    const text = JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'Kubernetes', version: KUBERNETES_VERSION },
      paths: Object.assign({}, ...resources.map(buildPaths)),
      components: { schemas: buildDefinitions(resources, published) },
    })
    document = { text, hash: createHash('sha512').update(text).digest('hex').slice(0, 64).toUpperCase() }
    kept.documents.set(id, document)
  }
  return document
}

export async function openApiV3Index(registry: Registry): Promise<Reply> {
  const published = await loadPublished()
  const paths: Record<string, unknown> = {}
  for (const [group, versions] of registry.groups()) {
    for (const version of versions) {
      const path = group ? `apis/${group}/${version}` : `api/${version}`
      const document = documentOf(registry, published, group, version)
      if (document) paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${document.hash}` }
    }
  }
  return { code: 200, body: { paths } }
}

export async function openApiV3(registry: Registry, path: readonly string[], query: URLSearchParams): Promise<Reply> {
  const [root, ...rest] = path
  const [group = '', version = ''] = root === 'api' ? ['', rest[0]] : rest
  const isKnown = (root === 'api' || root === 'apis') && rest.length === (root === 'api' ? 1 : 2)
  const document = isKnown ? documentOf(registry, await loadPublished(), group, version) : undefined
  if (!document) throw noSuchPath()
  // With the right hash in the address the answer never changes, so it may be kept.
  const forever = query.get('hash') === document.hash
  return {
    code: 200,
    body: undefined,
    text: document.text,
    headers: { ETag: `"${document.hash}"`, ...(forever ? { 'Cache-Control': 'public, immutable' } : {}) },
  }
}
