import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StatusError } from '../status-error.ts'
import { decodeProtobuf } from './decode-protobuf.ts'

// As `kubectl create configmap a --from-literal=x=1` puts it on the wire.
const field = (number: number, content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
}
const number = (at: number, value: number): Buffer => Buffer.from([at << 3, value])
const envelope = (apiVersion: string, kind: string, raw: Buffer): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), field(1, Buffer.concat([field(1, apiVersion), field(2, kind)])), field(2, raw)])

test('a config map with empty fields, as Go writes it', () => {
  const metadata = Buffer.concat([field(1, 'a'), field(2, ''), field(3, ''), field(8, ''), number(7, 0)])
  const entry = Buffer.concat([field(1, 'x'), field(2, '1')])
  const body = envelope('v1', 'ConfigMap', Buffer.concat([field(1, metadata), field(2, entry)]))
  expect(decodeProtobuf(body)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { x: '1' },
  })
})

test('numbers, times, quantities, bytes, pointers to zero and inlined structs', () => {
  const port = Buffer.concat([number(3, 80), field(4, Buffer.concat([number(1, 1), number(2, 0), field(3, 'http')]))])
  const service = envelope('v1', 'Service', field(2, field(1, port)))
  expect(decodeProtobuf(service)).toMatchObject({ spec: { ports: [{ port: 80, targetPort: 'http' }] } })
  const volume = Buffer.concat([field(1, 'v'), field(2, field(2, ''))])
  const limits = Buffer.concat([field(1, 'cpu'), field(2, field(1, '500m'))])
  const container = Buffer.concat([field(1, 'c'), field(8, field(1, limits))])
  const pod = envelope('v1', 'Pod', field(2, Buffer.concat([field(1, volume), field(2, container), number(4, 0)])))
  expect(decodeProtobuf(pod)).toMatchObject({
    spec: {
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [{ name: 'c', resources: { limits: { cpu: '500m' } } }],
      terminationGracePeriodSeconds: 0,
    },
  })
  const secret = envelope('v1', 'Secret', field(2, Buffer.concat([field(1, 'k'), field(2, 'hi')])))
  expect(decodeProtobuf(secret)).toMatchObject({ data: { k: 'aGk=' } })
})

test('a kind that is not known in this form is refused as a media type', () => {
  expect(() => decodeProtobuf(envelope('x.y/v1', 'Thing', Buffer.alloc(0)))).toThrow(
    expect.objectContaining({ code: 415 }),
  )
})

test('whatever comes is refused or read, never worse', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        decodeProtobuf(Buffer.concat([Buffer.from('k8s\0'), bytes]))
        decodeProtobuf(envelope('v1', 'Pod', Buffer.from(bytes).subarray(0, 100)))
      } catch (error) {
        expect(error).toBeInstanceOf(StatusError)
      }
    }),
  )
})
