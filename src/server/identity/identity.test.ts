import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createIdentity } from './create-identity.ts'
import { integer, objectId, octets, time } from './der.ts'
import { loadIdentity } from './identity.ts'

const NOW = Date.UTC(2026, 10, 16)
const YEAR = 365 * 24 * 3600 * 1000

test('the certificate is good for loopback, by an authority that may sign it and nothing below it', () => {
  const made = createIdentity(NOW)
  const [ca, server] = [new X509Certificate(made.ca), new X509Certificate(made.certificate)]
  expect([ca.ca, server.ca]).toEqual([true, false])
  expect(ca.verify(ca.publicKey)).toBe(true)
  expect(server.verify(ca.publicKey)).toBe(true)
  expect(server.checkIssued(ca)).toBe(true)
  expect(server.checkPrivateKey(createPrivateKey(made.key))).toBe(true)
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(server.checkHost('localhost')).toBe('localhost')
  expect(server.checkIP('127.0.0.2')).toBeUndefined()
  expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect([server.subject, server.issuer]).toEqual(['CN=trainyard', 'CN=trainyard-ca'])
  expect(server.validToDate.getTime()).toBe(NOW + 5 * YEAR)
  expect(server.validFromDate.getTime()).toBeLessThan(NOW)
})

test('no two are alike', () => {
  const [a, b] = [createIdentity(NOW), createIdentity(NOW)]
  expect(a.token).not.toBe(b.token)
  expect(new X509Certificate(a.certificate).serialNumber).not.toBe(new X509Certificate(b.certificate).serialNumber)
})

test.each([
  ['a length of two bytes', octets(Buffer.alloc(200)).subarray(0, 3), [0x04, 0x81, 200]],
  ['a length of three', octets(Buffer.alloc(300)).subarray(0, 4), [0x04, 0x82, 1, 44]],
  ['a number with its first bit set', integer(Buffer.of(0x80)), [0x02, 2, 0, 0x80]],
  ['a number with zeros before it', integer(Buffer.of(0, 0, 1)), [0x02, 1, 1]],
  ['an id with long parts', objectId('1.2.840.10045'), [0x06, 5, 0x2a, 0x86, 0x48, 0xce, 0x3d]],
  ['the last year of two digits', time(Date.UTC(2049, 11, 31)).subarray(0, 6), [0x17, 13, 0x34, 0x39, 0x31, 0x32]],
  ['the first year of four', time(Date.UTC(2050, 0, 1)).subarray(0, 6), [0x18, 15, 0x32, 0x30, 0x35, 0x30]],
])('%s', (_, bytes, expected) => {
  expect([...bytes]).toEqual(expected)
})

test('an identity is kept, privately, until it is damaged or near its end', () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-identity-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const first = loadIdentity(dir, NOW)
  const file = join(dir, 'pki/identity.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(loadIdentity(dir, NOW + 4 * YEAR)).toEqual(first)
  const renewed = loadIdentity(dir, NOW + 5 * YEAR)
  expect(renewed.certificate).not.toBe(first.certificate)
  writeFileSync(file, '{"certificate": "half')
  expect(loadIdentity(dir, NOW).token).not.toBe(renewed.token)
})
