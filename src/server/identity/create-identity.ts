import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { bits, boolean, der, integer, objectId, octets, sequence, set, tagged, time, utf8 } from './der.ts'
import type { Identity } from './identity.ts'

const YEAR = 365 * 24 * 3600 * 1000
const DAY = 24 * 3600 * 1000

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'))
const COMMON_NAME = '2.5.4.3'
const EXTENSION = {
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKey: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
}
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

interface Certified {
  subject: Buffer
  publicKey: KeyObject
  extensions: Buffer[]
}

/** A new authority, a certificate for loopback signed by it, and a token. The authority's key is not kept: it signs this once. */
export function createIdentity(now: number): Identity {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = nameOf('trainyard-ca')
  const issue = (certified: Certified): string => certify(certified, issuer, authority.privateKey, now)
  return {
    ca: issue({
      subject: issuer,
      publicKey: authority.publicKey,
      extensions: [
        extension(EXTENSION.basicConstraints, sequence(boolean(true), integer(Buffer.of(0))), true),
        // keyCertSign is the sixth bit, digitalSignature (below) the first.
        extension(EXTENSION.keyUsage, bits(Buffer.of(0b100), 2), true),
        extension(EXTENSION.subjectKey, octets(keyId(authority.publicKey))),
      ],
    }),
    certificate: issue({
      subject: nameOf('trainyard'),
      publicKey: server.publicKey,
      extensions: [
        extension(EXTENSION.basicConstraints, sequence(), true),
        extension(EXTENSION.keyUsage, bits(Buffer.of(0b1000_0000), 7), true),
        extension(EXTENSION.extendedKeyUsage, sequence(objectId(SERVER_AUTH))),
        extension(
          EXTENSION.alternativeNames,
          sequence(der(0x87, Buffer.of(127, 0, 0, 1)), der(0x82, Buffer.from('localhost'))),
        ),
        extension(EXTENSION.authorityKey, sequence(der(0x80, keyId(authority.publicKey)))),
      ],
    }),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    token: randomBytes(32).toString('base64url'),
  }
}

/** RFC 5280, 4.1. */
function certify({ subject, publicKey, extensions }: Certified, issuer: Buffer, key: KeyObject, now: number): string {
  const content = sequence(
    tagged(0, integer(Buffer.of(2))),
    integer(randomBytes(8)),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(now - DAY), time(now + 5 * YEAR)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions)),
  )
  const bytes = sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, key)))
  const lines = bytes.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const nameOf = (text: string): Buffer => sequence(set(sequence(objectId(COMMON_NAME), utf8(text))))

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [boolean(true)] : []), octets(value))
}

function keyId(key: KeyObject): Buffer {
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-65)
  return createHash('sha1').update(point).digest()
}
