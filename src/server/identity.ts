import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'

/** What the server proves itself with, and what its clients must show. */
export interface Identity {
  ca: string
  certificate: string
  key: string
  token: string
}

const YEAR = 365 * 24 * 3600 * 1000
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Written beside and renamed: a file is whole or not there; nobody but the owner can read it. */
export function writePrivateFile(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** The identity is kept in the data directory, so that a kubeconfig stays good over restarts. */
export async function loadIdentity(dir: string, now: number): Promise<Identity> {
  const folder = join(dir, 'pki')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'identity.json')
  if (existsSync(file)) {
    const kept = readIdentity(file)
    if (kept && stillGood(kept, now)) return kept
  }
  const identity = await createIdentity(now)
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
    return new x509.X509Certificate(identity.certificate).notAfter.getTime() - now > YEAR / 12
  } catch {
    return false
  }
}

async function createIdentity(now: number): Promise<Identity> {
  x509.cryptoProvider.set(webcrypto as never)
  const generate = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const [caKeys, keys] = await Promise.all([generate(), generate()])
  const life = {
    notBefore: new Date(now - 24 * 3600 * 1000),
    notAfter: new Date(now + 5 * YEAR),
    signingAlgorithm: ALGORITHM,
  }
  // The authority's key is not kept: it signs this one certificate and nothing ever again.
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...life,
    serialNumber: randomBytes(8).toString('hex'),
    name: 'CN=trainyard-ca',
    keys: caKeys as never,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey as never),
    ],
  })
  const certificate = await x509.X509CertificateGenerator.create({
    ...life,
    serialNumber: randomBytes(8).toString('hex'),
    subject: 'CN=trainyard',
    issuer: ca.subject,
    publicKey: keys.publicKey as never,
    signingKey: caKeys.privateKey as never,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'localhost' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey as never),
    ],
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  return {
    ca: ca.toString('pem'),
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    token: randomBytes(32).toString('base64url'),
  }
}

export function buildKubeconfig(url: string, identity: Identity): string {
  const ca = Buffer.from(identity.ca).toString('base64')
  return `apiVersion: v1
kind: Config
current-context: trainyard
clusters:
- name: trainyard
  cluster:
    server: ${url}
    certificate-authority-data: ${ca}
users:
- name: trainyard
  user:
    token: ${identity.token}
contexts:
- name: trainyard
  context:
    cluster: trainyard
    user: trainyard
    namespace: default
`
}
