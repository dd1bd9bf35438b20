import { expect, test } from 'vitest'
import { OPERATOR_DEFAULTS, type OperatorFlags, readOperatorFlags } from './operator-flags.ts'

const read = (flags: Partial<OperatorFlags> = {}) => readOperatorFlags({ ...OPERATOR_DEFAULTS, ...flags })

test('without flags it elects a leader and serves everywhere', () => {
  expect(read()).toMatchObject({
    election: { name: 'trainyard-operator', leaseSeconds: 15 },
    address: { port: 8080 },
    workers: 16,
    forceDeleteAfter: 300,
    takeOver: [],
    gangScheduler: 'auto',
  })
})

test.each([
  // Named, `::` could not be listened on where the kernel has no IPv6.
  [':8080', { port: 8080 }],
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['[::1]:81', { host: '::1', port: 81 }],
  ['localhost:9', { host: 'localhost', port: 9 }],
  ['off', undefined],
])('the address %s', (metricsAddress, address) => {
  expect(read({ metricsAddress }).address).toEqual(address)
})

test('kinds are known by every spelling', () => {
  expect(read({ takeOver: ['tfjobs', 'GenericJob'] }).takeOver).toEqual(['TFJob', 'GenericJob'])
})

test('no election', () => {
  expect(read({ leaderElect: 'false' }).election).toBeUndefined()
})

test.each<[Partial<OperatorFlags>, string]>([
  [{ workers: '0' }, '--workers 0: it is a number from 1 to 1000'],
  [{ requests: 'many' }, '--requests many: it is a number from 1 to 1000'],
  [{ leaseDuration: '15' }, '--lease-duration: "15" has no unit; write 15s for seconds'],
  [{ leaseDuration: '10ms' }, '--lease-duration 10ms: it is between 1s and 1h'],
  [{ leaderElect: 'perhaps' }, '--leader-elect=perhaps: it is true or false'],
  [{ metricsAddress: '8080' }, '--metrics-address 8080: write it like :8080, or off'],
  [{ metricsAddress: ':99999' }, '--metrics-address :99999: write it like :8080, or off'],
  [{ takeOver: ['TFJbo'] }, '--take-over TFJbo: did you mean TFJob?'],
  [{ logLevel: 'loud' }, '--log-level loud: it is one of debug, info, warn, error'],
])('%j is refused', (flags, message) => {
  expect(() => read(flags)).toThrow(message)
})
