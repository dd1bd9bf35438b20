import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { isObject } from '../lib/json.ts'
import type { Connection } from './connection.ts'
import { ConfigError } from './errors.ts'
import { type ExecPlugin, runExecPlugin, tokenFromExec } from './exec-plugin.ts'
import { impersonationOf } from './impersonation.ts'
import { fixedToken, type TokenSource, tokenInFile } from './tokens.ts'

type Entry = Record<string, unknown>

/** Several files read as one: for every name, and for the current context, the first file wins. */
export interface Kubeconfig {
  files: string[]
  currentContext?: string
  contexts: Map<string, Entry>
  clusters: Map<string, Entry>
  users: Map<string, Entry>
}

/** Undefined when none of the files is there. */
export function readKubeconfig(files: ReadonlyArray<{ path: string; required: boolean }>): Kubeconfig | undefined {
  const config: Kubeconfig = { files: [], contexts: new Map(), clusters: new Map(), users: new Map() }
  for (const { path, required } of files) {
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (cause) {
      const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
      if (missing && !required) continue
      throw new ConfigError(`the kubeconfig ${path} ${missing ? 'does not exist' : 'cannot be read'}`, { cause })
    }
    config.files.push(path)
    addFile(config, path, text)
  }
  return config.files.length > 0 ? config : undefined
}

/** What begins like JSON may be YAML nevertheless. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parse(text)
  }
}

function addFile(config: Kubeconfig, path: string, text: string): void {
  let document: unknown
  try {
    document = text.startsWith('{') ? readJson(text) : parse(text)
  } catch (cause) {
    throw new ConfigError(`the kubeconfig ${path} is not valid YAML`, { cause })
  }
  if (document === null || document === undefined) return
  if (!isObject(document)) throw new ConfigError(`the kubeconfig ${path} is not a mapping`)
  if (typeof document['current-context'] === 'string' && document['current-context'] !== '') {
    config.currentContext ??= document['current-context']
  }
  const sections = [
    ['contexts', 'context', config.contexts],
    ['clusters', 'cluster', config.clusters],
    ['users', 'user', config.users],
  ] as const
  for (const [section, part, into] of sections) {
    for (const item of Array.isArray(document[section]) ? document[section] : []) {
      if (!isObject(item) || typeof item.name !== 'string' || into.has(item.name)) continue
      into.set(item.name, { ...(isObject(item[part]) ? item[part] : {}), '#folder': dirname(resolve(path)) })
    }
  }
}

export async function connectionFrom(
  config: Kubeconfig,
  wanted: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Connection> {
  const where = config.files.join(', ')
  const name = wanted ?? config.currentContext
  if (name === undefined)
    throw new ConfigError(`the kubeconfig ${where} has no current context; name one with --context`)
  const context = config.contexts.get(name)
  if (context === undefined) {
    const known = [...config.contexts.keys()].join(', ')
    throw new ConfigError(`the kubeconfig ${where} has no context ${name}${known ? `; it has ${known}` : ''}`)
  }
  const cluster = config.clusters.get(text(context.cluster) ?? '')
  const server = cluster && text(cluster.server)
  if (cluster === undefined || server === undefined) {
    throw new ConfigError(`context ${name} of the kubeconfig ${where} names no cluster with a server`)
  }
  if (!URL.canParse(server)) throw new ConfigError(`the kubeconfig's server ${server} is no address`)
  const user = config.users.get(text(context.user) ?? '') ?? {}
  const proof = await proofOf(user, cluster, server, env)
  return {
    server: server.replace(/\/+$/, ''),
    namespace: text(context.namespace) ?? 'default',
    context: name,
    proxy: text(cluster['proxy-url']),
    tls: {
      ca: inlineOrFile(cluster, 'certificate-authority'),
      serverName: text(cluster['tls-server-name']),
      insecure: cluster['insecure-skip-tls-verify'] === true,
      cert: proof.cert,
      key: proof.key,
    },
    token: proof.token,
    headers: impersonationOf(user),
  }
}

interface Proof {
  cert?: string
  key?: string
  token?: TokenSource
}

async function proofOf(user: Entry, cluster: Entry, server: string, env: NodeJS.ProcessEnv): Promise<Proof> {
  const cert = inlineOrFile(user, 'client-certificate')
  const key = inlineOrFile(user, 'client-key')
  if ((cert === undefined) !== (key === undefined)) {
    throw new ConfigError('the kubeconfig has a client certificate without its key, or the key without the certificate')
  }
  const token = text(user.token)
  const tokenFile = text(user.tokenFile)
  if (tokenFile !== undefined) return { cert, key, token: tokenInFile(resolve(folderOf(user), tokenFile)) }
  if (token !== undefined) return { cert, key, token: fixedToken(token) }
  if (isObject(user['auth-provider'])) {
    throw new ConfigError(
      'the kubeconfig uses an auth-provider, which Kubernetes has removed; use its exec program instead',
    )
  }
  if (!isObject(user.exec)) return { cert, key }
  const plugin = execPluginOf(user.exec, folderOf(user), cluster, server)
  const credential = await runExecPlugin(plugin, env)
  return {
    cert: credential.cert ?? cert,
    key: credential.key ?? key,
    token: credential.token === undefined ? undefined : tokenFromExec(plugin, credential, env),
  }
}

function execPluginOf(exec: Entry, folder: string, cluster: Entry, server: string): ExecPlugin {
  const command = text(exec.command)
  if (command === undefined) throw new ConfigError('the kubeconfig has an exec section without a command')
  const variables = Array.isArray(exec.env) ? exec.env.filter(isObject) : []
  const ca = inlineOrFile(cluster, 'certificate-authority')
  return {
    apiVersion: text(exec.apiVersion) ?? 'client.authentication.k8s.io/v1',
    // As with kubectl: a bare name is looked for in PATH, a path begins where the kubeconfig is.
    command: command.includes('/') ? resolve(folder, command) : command,
    args: Array.isArray(exec.args) ? exec.args.map(String) : [],
    env: Object.fromEntries(variables.map((item) => [String(item.name), String(item.value ?? '')])),
    ...(exec.provideClusterInfo === true && {
      cluster: { server, ...(ca && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }) },
    }),
    installHint: text(exec.installHint),
  }
}

/** `<field>-data` holds the text in base64, `<field>` the file's path, relative to the kubeconfig it stands in. */
function inlineOrFile(entry: Entry, field: string): string | undefined {
  const data = text(entry[`${field}-data`])
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8')
  const file = text(entry[field])
  if (file === undefined) return undefined
  const path = resolve(folderOf(entry), file)
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(`the kubeconfig's ${field} ${path} cannot be read`, { cause })
  }
}

function folderOf(entry: Entry): string {
  return text(entry['#folder']) ?? '.'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
