import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createIdentity } from './create-identity.ts'

/** What the server proves itself with, and what its clients must show. */
export interface Identity {
  ca: string
  certificate: string
  key: string
  token: string
}

const MONTH = 30 * 24 * 3600 * 1000

/** Written beside and renamed: a file is whole or not there; nobody but the owner can read it. */
export function writePrivateFile(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** The identity is kept in the data directory, so that a kubeconfig stays good over restarts. */
export function loadIdentity(dir: string, now: number): Identity {
  const folder = join(dir, 'pki')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'identity.json')
  const kept = existsSync(file) ? readIdentity(file) : undefined
  if (kept && stillGood(kept, now)) return kept
  const identity = createIdentity(now)
  // Certificates are renewed when their time is over, or has not come by a clock that was set back; the token has none.
  if (kept?.token) identity.token = kept.token
  writePrivateFile(file, JSON.stringify(identity))
  return identity
}

function readIdentity(file: string): Identity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Identity
  } catch {
    // Half a file cannot come from us; a new identity is the only useful answer to a damaged one.
    return undefined
  }
}

function stillGood(identity: Identity, now: number): boolean {
  try {
    const { validFromDate, validToDate } = new X509Certificate(identity.certificate)
    return validFromDate.getTime() <= now && validToDate.getTime() - now > MONTH
  } catch {
    return false
  }
}

/** JSON, which is YAML too and is read in no time: every command begins with it. */
export function buildKubeconfig(url: string, identity: Identity): string {
  const name = 'trainyard'
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [
      { name, cluster: { server: url, 'certificate-authority-data': Buffer.from(identity.ca).toString('base64') } },
    ],
    users: [{ name, user: { token: identity.token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
