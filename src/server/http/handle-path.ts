import { aggregatedDiscovery, groupList, legacyVersions, oneGroup, resourceList } from '../discovery/discovery.ts'
import type { Metrics } from '../metrics.ts'
import { encodeV2, isOpenApiProtobuf, OPENAPI_PROTOBUF } from '../openapi/encode-v2.ts'
import { buildDocumentV2, openApiV2 } from '../openapi/v2.ts'
import { openApiV3, openApiV3Index } from '../openapi/v3.ts'
import { methodNotAllowed, noSuchPath, PageNotFound } from '../status-error.ts'
import { KUBERNETES_VERSION } from '../version.ts'
import type { Exchange, Handled } from './exchange.ts'
import { negotiate } from './negotiate.ts'
import type { PathTarget } from './request-target.ts'
import { type Reply, sendText } from './respond.ts'

const HEALTH = new Set(['healthz', 'livez', 'readyz'])
const CHECKS = new Set(['ping', 'store'])

/** Everything that is not about a resource. */
export async function handlePath(exchange: Omit<Exchange, 'target'>, target: PathTarget, metrics: Metrics): Handled {
  const found = await answerPath(exchange, target, metrics)
  if (found === undefined) return undefined
  if (exchange.req.method !== 'GET') throw methodNotAllowed()
  if (typeof found !== 'string') return found
  sendText(exchange.res, found)
  return undefined
}

async function answerPath(
  exchange: Omit<Exchange, 'target'>,
  target: PathTarget,
  metrics: Metrics,
): Promise<Reply | string | undefined> {
  const { res, api } = exchange
  const [first = '', second, third, ...rest] = target.segments
  if (HEALTH.has(first) && (second === undefined || CHECKS.has(second)))
    return target.query.has('verbose') ? `[+]ping ok\n[+]store ok\n${first} check passed\n` : 'ok'
  if (first === 'metrics' && second === undefined) return metrics.text(api)
  if (first === 'version') {
    if (second !== undefined) throw noSuchPath()
    return ok(versionBody())
  }
  if (first === '')
    return ok({
      paths: ['/api', '/api/v1', '/apis', ...HEALTH, '/metrics', '/openapi/v2', '/openapi/v3', '/version']
        .map((p) => (p.startsWith('/') ? p : `/${p}`))
        .sort(),
    })
  if (first === 'openapi') {
    if (second === 'v2' && third === undefined) return answerV2(exchange)
    if (second !== 'v3') throw new PageNotFound()
    const reply =
      third === undefined ? openApiV3Index(api.registry) : openApiV3(api.registry, [third, ...rest], target.query)
    if (!reply) throw new PageNotFound()
    return reply
  }
  if (first === 'trainyard') return sendKeptLog(exchange, target)
  const found = discover(exchange, first, second, third)
  if (found === undefined || rest.length > 0)
    throw first === 'api' || (first === 'apis' && api.registry.isOwnGroup(second ?? ''))
      ? noSuchPath()
      : new PageNotFound()
  res.setHeader('Vary', 'Accept')
  return found
}

async function answerV2({ api, req, res }: Omit<Exchange, 'target'>): Handled {
  const types = (req.headers.accept ?? '').split(',').map((type) => type.split(';')[0]?.trim() ?? '')
  if (!types.some(isOpenApiProtobuf) || req.method !== 'GET') return openApiV2(api.registry)
  const body = encodeV2(await buildDocumentV2(api.registry))
  res.writeHead(200, { 'Content-Type': OPENAPI_PROTOBUF, 'Content-Length': body.length })
  res.end(body)
  return undefined
}

/** `/trainyard/v1/namespaces/<name>/logs/…`. */
async function sendKeptLog({ api, res }: Omit<Exchange, 'target'>, { segments, query }: PathTarget): Handled {
  const [, version, scope, namespace, kind, ...path] = segments
  const isKnown = version === 'v1' && scope === 'namespaces' && kind === 'logs' && path.length > 0
  if (!isKnown || namespace === undefined || !api.pods.keptLogs) throw noSuchPath()
  await api.pods.keptLogs(namespace, path, query, res)
  return undefined
}

function discover(
  { api, req }: Omit<Exchange, 'target'>,
  first: string,
  second?: string,
  third?: string,
): Reply | undefined {
  const { registry } = api
  if (first !== 'api' && first !== 'apis') return undefined
  if (second === undefined) {
    const accepted = negotiate(req.headers.accept, ['object', 'aggregated-discovery'])
    if (accepted.form === 'aggregated-discovery') {
      return {
        ...ok(aggregatedDiscovery(registry, first === 'api')),
        headers: { 'Content-Type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
      }
    }
    return ok(first === 'api' ? legacyVersions(req.headers.host ?? '') : groupList(registry))
  }
  if (first === 'api') return third === undefined ? okIfThere(resourceList(registry, '', second)) : undefined
  return okIfThere(third === undefined ? oneGroup(registry, second) : resourceList(registry, second, third))
}

const ok = (body: unknown): Reply => ({ code: 200, body })
const okIfThere = (body: unknown): Reply | undefined => (body === undefined ? undefined : ok(body))

function versionBody(): Record<string, string> {
  const [major = '', minor = ''] = KUBERNETES_VERSION.slice(1).split('.')
  return {
    major,
    minor,
    gitVersion: `${KUBERNETES_VERSION}+trainyard`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
}
