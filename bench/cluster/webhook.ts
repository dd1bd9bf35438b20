// Peers bring admission webhooks, which an apiserver outside the pods' network reaches by URL.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { mustRun } from '../../scripts/run-program.ts'
import type { KubeObject } from '../../src/kube/index.ts'
import type { Arena } from './arena.ts'

export interface WebhookCertificate {
  caCert: string
  caKey: string
  cert: string
  key: string
}

/** RSA with PKCS#1 keys and an authority of this very name: what open-policy-agent's cert-controller insists on. */
export async function issueWebhookCertificate(
  arena: Arena,
  service: string,
  authority: string,
): Promise<WebhookCertificate> {
  const cwd = join(arena.plane.dir, 'pki')
  const openssl = (...args: string[]): Promise<string> => mustRun('openssl', args, { cwd })
  for (const key of ['webhook-ca.key', 'webhook.key']) await openssl('genrsa', '-traditional', '-out', key, '2048')
  const extended = (...extensions: string[]): string[] => extensions.flatMap((each) => ['-addext', each])
  const signing = 'keyUsage=critical,digitalSignature,keyEncipherment,keyCertSign'
  const self = ['-x509', '-new', '-key', 'webhook-ca.key', '-days', '3650', '-subj', `/CN=${authority}/O=${authority}`]
  await openssl('req', ...self, ...extended(`subjectAltName=DNS:${authority}`, signing), '-out', 'webhook-ca.crt')
  const serving = extended(
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature,keyEncipherment',
    'extendedKeyUsage=serverAuth',
    `subjectAltName=DNS:${service},IP:127.0.0.1`,
  )
  await openssl('req', '-new', '-key', 'webhook.key', '-subj', `/CN=${service}`, ...serving, '-out', 'webhook.csr')
  const signed = ['-CA', 'webhook-ca.crt', '-CAkey', 'webhook-ca.key', '-CAcreateserial', '-copy_extensions', 'copy']
  await openssl('x509', '-req', '-in', 'webhook.csr', ...signed, '-days', '3650', '-out', 'webhook.crt')
  const file = (name: string): string => join(cwd, name)
  return {
    caCert: file('webhook-ca.crt'),
    caKey: file('webhook-ca.key'),
    cert: file('webhook.crt'),
    key: file('webhook.key'),
  }
}

interface WebhookConfiguration extends KubeObject {
  webhooks: { clientConfig: { service?: { path?: string }; url?: string; caBundle?: string } }[]
}

/** The configurations of a manifest, led to the contender's own port. */
export async function installWebhooks(arena: Arena, manifest: string, caCert: string, name: string): Promise<void> {
  const caBundle = readFileSync(caCert).toString('base64')
  for (const document of parseAllDocuments(readFileSync(manifest, 'utf8'))) {
    const configuration = document.toJS() as WebhookConfiguration | null
    if (!configuration?.webhooks) continue
    configuration.metadata.name = name
    for (const webhook of configuration.webhooks) {
      const path = webhook.clientConfig.service?.path ?? ''
      webhook.clientConfig = { url: `https://127.0.0.1:${arena.ports.webhook}${path}`, caBundle }
    }
    await arena.kubectl(['apply', '-f', '-'], JSON.stringify(configuration))
  }
}
