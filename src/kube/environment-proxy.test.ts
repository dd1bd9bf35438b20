import { expect, test } from 'vitest'
import { environmentProxy } from './environment-proxy.ts'

const proxy = 'http://proxy:3128'
const of = (server: string, NO_PROXY?: string) => environmentProxy(server, { HTTPS_PROXY: proxy, NO_PROXY })

test('the proxy of the environment, in both spellings', () => {
  expect(of('https://k8s.example.com:6443')).toBe(proxy)
  expect(environmentProxy('https://k8s', { https_proxy: 'proxy:3128' })).toBe(proxy)
  expect(environmentProxy('http://k8s', { HTTPS_PROXY: proxy })).toBeUndefined()
  expect(environmentProxy('http://k8s', { HTTP_PROXY: proxy })).toBe(proxy)
  expect(environmentProxy('https://k8s', {})).toBeUndefined()
})

test.each(['https://localhost:6443', 'https://127.0.0.1:6443', 'https://127.8.0.1', 'https://[::1]:6443'])(
  'nobody needs one to %s',
  (server) => expect(of(server)).toBeUndefined(),
)

test.each([
  ['*', 'https://k8s.example.com', true],
  ['example.com', 'https://example.com', true],
  ['example.com', 'https://k8s.example.com', true],
  ['example.com', 'https://anotherexample.com', false],
  ['.example.com', 'https://example.com', false],
  ['.example.com', 'https://k8s.example.com', true],
  ['*.example.com', 'https://k8s.example.com', true],
  ['a.b, K8s.Example.com', 'https://k8s.example.com', true],
  ['k8s:6443', 'https://k8s:6443', true],
  ['k8s:443', 'https://k8s', true],
  ['k8s:6443', 'https://k8s', false],
  ['10.0.0.1', 'https://10.0.0.1:6443', true],
  ['10.0.0.1', 'https://10.0.0.10:6443', false],
  ['10.96.0.0/12', 'https://10.100.0.1', true],
  ['10.96.0.0/12', 'https://10.112.0.1', false],
  ['10.96.0.0/12', 'https://k8s', false],
  ['fd00::/8', 'https://[fd12::1]:6443', true],
  ['fd12::1', 'https://[fd12::1]:6443', true],
  ['10.0.0.0/99, ,x', 'https://k8s', false],
])('NO_PROXY=%s: %s goes without: %s', (except, server, without) => {
  expect(of(server, except) === undefined).toBe(without)
})
