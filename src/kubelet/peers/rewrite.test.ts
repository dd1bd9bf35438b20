import { expect, test } from 'vitest'
import type { PeerMarks } from '../../api/peers.ts'
import { peerOf, portsIn, readMarks } from './marks.ts'
import { findNamesByHand, rewriteMarked } from './rewrite.ts'

const marks: PeerMarks = {
  peers: {
    worker: { replicas: 12, host: 'j-worker-{i}.j-820d8-peers', ports: [2222] },
    master: { replicas: 1, host: 'j-master-{i}.j-820d8-peers', ports: [23456] },
  },
  places: [{ container: 'c', env: 'TF_CONFIG', addresses: 'all' }],
}
const portOf = (peer: string, port: number) =>
  port === 2222 || port === 23456
    ? 20000 + Number(peer.split('-')[1]) + (peer.startsWith('master') ? 500 : 0)
    : undefined

test('every address of a known peer is rewritten, and nothing else', () => {
  const text =
    '{"worker":["j-worker-1.j-820d8-peers:2222","j-worker-11.j-820d8-peers:2222"],"x":"my-j-worker-1.j-820d8-peers:2222 j-worker-1.j-820d8-peers:99 j-worker-1:2222"}'
  expect(rewriteMarked(text, { container: 'c', addresses: 'all' }, marks, portOf)).toBe(
    '{"worker":["127.0.0.1:20001","127.0.0.1:20011"],"x":"my-j-worker-1.j-820d8-peers:2222 j-worker-1.j-820d8-peers:99 j-worker-1:2222"}',
  )
})

test('spans are rewritten by their offsets in the text as it stood', () => {
  const text = '--rdzv=HOST:23456 --port=2222 --host=NAME'
  const spans = [
    { from: 7, to: 17, peer: 'master-0', port: 23456, part: 'hostport' as const },
    { from: 25, to: 29, peer: 'worker-3', port: 2222, part: 'port' as const },
    { from: 37, to: 41, peer: 'worker-3', part: 'host' as const },
  ]
  expect(rewriteMarked(text, { container: 'c', spans }, marks, portOf)).toBe(
    '--rdzv=127.0.0.1:20500 --port=20003 --host=127.0.0.1',
  )
})

test('spans that do not fit the text, or name an unknown port, change nothing', () => {
  const spans = [
    { from: 2, to: 99, peer: 'master-0', port: 23456, part: 'host' as const },
    { from: 0, to: 1, peer: 'master-0', port: 1, part: 'port' as const },
  ]
  expect(rewriteMarked('abc', { container: 'c', spans }, marks, portOf)).toBe('abc')
})

test('a broken annotation marks nothing', () => {
  for (const text of ['', '[]', 'null', '{"peers":1,"places":[]}', '{']) {
    expect(readMarks({ metadata: { annotations: { 'trainyard.dev/peers': text } } })).toBeUndefined()
  }
})

test('a pod knows which peer it is by its hostname, or its name', () => {
  expect(peerOf({ spec: { hostname: 'j-worker-11', containers: [] } }, marks)).toBe('worker-11')
  expect(peerOf({ metadata: { name: 'j-master-0' } }, marks)).toBe('master-0')
  expect(peerOf({ metadata: { name: 'other' } }, marks)).toBeUndefined()
  expect(portsIn(marks)).toHaveLength(13)
})

test('names typed by hand are found only outside the marked places', () => {
  const container = {
    name: 'c',
    env: [
      { name: 'TF_CONFIG', value: 'j-worker-1.j-820d8-peers:2222' },
      { name: 'PEER', value: 'tcp://j-worker-2.j-820d8-peers:2222' },
    ],
    args: ['--x=j-worker-3', 'j-worker-31x', 'other-j-worker-3'],
  }
  expect(findNamesByHand({ spec: { containers: [container] } }, marks)).toEqual(['j-worker-2', 'j-worker-3'])
})
