// Credentials from a program, as cloud providers' kubeconfigs ask for (client.authentication.k8s.io).
import { execFile } from 'node:child_process'
import { isObject } from '../lib/json.ts'
import { ConfigError } from './errors.ts'
import type { TokenSource } from './tokens.ts'

export interface ExecPlugin {
  apiVersion: string
  command: string
  args: string[]
  env: Record<string, string>
  /** Told to the program where it asks for it. */
  cluster?: object
  installHint?: string
}

export interface ExecCredential {
  token?: string
  cert?: string
  key?: string
  expiresAt: number
}

export async function runExecPlugin(plugin: ExecPlugin, env: NodeJS.ProcessEnv): Promise<ExecCredential> {
  const spec = { interactive: false, ...(plugin.cluster && { cluster: plugin.cluster }) }
  const info = JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec })
  const output = await new Promise<string>((resolve, reject) => {
    const childEnv = { ...env, ...plugin.env, KUBERNETES_EXEC_INFO: info }
    const child = execFile(plugin.command, plugin.args, { env: childEnv, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      const why = missing ? 'it is not installed' : stderr.trim().split('\n').at(-1) || 'it failed without a message'
      const hint = plugin.installHint ? `\n${plugin.installHint}` : ''
      reject(
        new ConfigError(`the kubeconfig's credential program ${plugin.command} gave no credentials: ${why}${hint}`),
      )
    })
    child.stdin?.end()
  })
  return readCredential(plugin.command, output)
}

function readCredential(command: string, output: string): ExecCredential {
  let answer: unknown
  try {
    answer = JSON.parse(output)
  } catch {
    answer = undefined
  }
  const status = isObject(answer) && isObject(answer.status) ? answer.status : {}
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
  const credential = {
    token: text(status.token),
    cert: text(status.clientCertificateData),
    key: text(status.clientKeyData),
  }
  if (credential.token === undefined && credential.cert === undefined) {
    throw new ConfigError(`the kubeconfig's credential program ${command} answered without a token or certificate`)
  }
  const expiry = Date.parse(text(status.expirationTimestamp) ?? '')
  return { ...credential, expiresAt: Number.isNaN(expiry) ? Number.POSITIVE_INFINITY : expiry }
}

/** Runs the program again shortly before its token expires, and when the server refuses it. */
export function tokenFromExec(plugin: ExecPlugin, first: ExecCredential, env: NodeJS.ProcessEnv): TokenSource {
  const early = 30_000
  let known = first
  let running: Promise<ExecCredential> | undefined
  return {
    async get() {
      if (Date.now() < known.expiresAt - early) return known.token ?? ''
      running ??= runExecPlugin(plugin, env).finally(() => {
        running = undefined
      })
      known = await running
      return known.token ?? ''
    },
    forget() {
      known = { ...known, expiresAt: 0 }
    },
  }
}
