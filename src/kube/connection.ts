import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ConfigError } from './errors.ts'
import { connectionFrom, readKubeconfig } from './kubeconfig.ts'
import { type TokenSource, tokenInFile } from './tokens.ts'

/** Where an API server is and how to prove who we are. */
export interface Connection {
  server: string
  /** What `-n` is when it is not given. */
  namespace: string
  /** The context's name, where a kubeconfig was used. */
  context?: string
  /** A socket on this machine at which the server answers too, without TLS. */
  socket?: string
  tls: { ca?: string; cert?: string; key?: string; serverName?: string; insecure?: boolean }
  /** The way there leads through it: named by the kubeconfig, or by the environment. */
  proxy?: string
  token?: TokenSource
  /** Sent with every request: impersonation. */
  headers?: Record<string, string | string[]>
}

export interface ConnectionOptions {
  /** A kubeconfig file; without it KUBECONFIG, then ~/.kube/config, then the pod's service account. */
  kubeconfig?: string
  context?: string
  namespace?: string
  env?: NodeJS.ProcessEnv
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Finds the cluster to talk to, in kubectl's order. Every way of failing is a ConfigError that says what to do. */
export async function loadConnection(options: ConnectionOptions = {}): Promise<Connection> {
  const env = options.env ?? process.env
  const found = readKubeconfig(kubeconfigFiles(options, env))
  const inCluster = found === undefined && options.context === undefined ? inClusterConnection(env) : undefined
  if (found === undefined && inCluster === undefined) {
    throw new ConfigError('no cluster is configured: KUBECONFIG is not set and ~/.kube/config does not exist')
  }
  const connection = inCluster ?? (await connectionFrom(found!, options.context, env))
  const proxy = connection.proxy ?? (await proxyFor(connection.server, env))
  return { ...connection, proxy, namespace: options.namespace ?? connection.namespace }
}

/** Most have none, and need not read the rules. */
async function proxyFor(server: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (!Object.keys(env).some((name) => /^https?_proxy$/i.test(name))) return undefined
  const { environmentProxy } = await import('./environment-proxy.ts')
  return environmentProxy(server, env)
}

function kubeconfigFiles(options: ConnectionOptions, env: NodeJS.ProcessEnv): { path: string; required: boolean }[] {
  if (options.kubeconfig !== undefined) return [{ path: options.kubeconfig, required: true }]
  const listed = env.KUBECONFIG?.split(delimiter).filter((path) => path !== '') ?? []
  // As with kubectl, a file of the list may be missing.
  if (listed.length > 0) return listed.map((path) => ({ path, required: false }))
  return [{ path: join(env.HOME ?? homedir(), '.kube', 'config'), required: false }]
}

/** The service account of the pod we run in; undefined outside a cluster. */
export function inClusterConnection(env: NodeJS.ProcessEnv, folder = SERVICE_ACCOUNT): Connection | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  if (!host || !port) return undefined
  const read = (name: string): string => {
    try {
      return readFileSync(join(folder, name), 'utf8').trim()
    } catch {
      throw new ConfigError(`this pod has no service account to use: ${join(folder, name)} cannot be read`)
    }
  }
  const ca = read('ca.crt')
  const namespace = read('namespace')
  read('token')
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace,
    tls: { ca },
    token: tokenInFile(join(folder, 'token')),
  }
}
