import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inClusterConnection, loadConnection } from './connection.ts'
import { ConfigError } from './errors.ts'
import { tokenInFile } from './tokens.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trainyard-kubeconfig-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, content: string | object): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function config(user: object, cluster: object = {}, context: object = {}): object {
  return {
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', ...context } }],
    clusters: [{ name: 'c', cluster: { server: 'https://cluster:6443/', ...cluster } }],
    users: [{ name: 'u', user }],
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const load = (kubeconfig: string, context?: string) => loadConnection({ kubeconfig, context, env: {} })

test('certificates inline', async () => {
  const user = { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') }
  const path = write('config', config(user, { 'certificate-authority-data': base64('CA') }, { namespace: 'ml' }))
  expect(await load(path)).toMatchObject({
    server: 'https://cluster:6443',
    namespace: 'ml',
    context: 'here',
    tls: { ca: 'CA', cert: 'CERT', key: 'KEY', insecure: false },
  })
})

test('YAML that begins like JSON is YAML', async () => {
  const path = write(
    'config',
    '{current-context: here, contexts: [{name: here, context: {cluster: c}}],\n clusters: [{name: c, cluster: {server: "https://one:6443"}}]}',
  )
  expect(await load(path)).toMatchObject({ server: 'https://one:6443', context: 'here' })
})

test('certificates in files, relative to the kubeconfig', async () => {
  write('ca.pem', 'CA')
  write('cert.pem', 'CERT')
  write('key.pem', 'KEY')
  const user = { 'client-certificate': 'cert.pem', 'client-key': 'key.pem' }
  const path = write('config', config(user, { 'certificate-authority': 'ca.pem' }))
  expect((await load(path)).tls).toMatchObject({ ca: 'CA', cert: 'CERT', key: 'KEY' })
})

test('KUBECONFIG names several files; the first to say something wins, missing ones are passed over', async () => {
  const first = write('first', {
    'current-context': 'b',
    users: [{ name: 'u', user: { token: 'first' } }],
  })
  const second = write('second', {
    'current-context': 'a',
    contexts: [
      { name: 'a', context: { cluster: 'c', user: 'u' } },
      { name: 'b', context: { cluster: 'c', user: 'u', namespace: 'from-b' } },
    ],
    clusters: [{ name: 'c', cluster: { server: 'https://second' } }],
    users: [{ name: 'u', user: { token: 'second' } }],
  })
  const env = { KUBECONFIG: [first, join(folder, 'missing'), second].join(':') }
  const connection = await loadConnection({ env })
  expect(connection).toMatchObject({ context: 'b', namespace: 'from-b', server: 'https://second' })
  expect(await connection.token?.get()).toBe('first')
  expect((await loadConnection({ env, context: 'a', namespace: 'given' })).namespace).toBe('given')
})

test('~/.kube/config is found', async () => {
  mkdirSync(join(folder, '.kube'))
  write('.kube/config', config({ token: 't' }))
  expect((await loadConnection({ env: { HOME: folder } })).server).toBe('https://cluster:6443')
})

test('a token file is read again after a minute, and at once when the token is refused', async () => {
  const path = write('token', 'one\n')
  let now = 0
  const token = tokenInFile(path, () => now)
  expect(await token.get()).toBe('one')
  write('token', 'two')
  now = 59_000
  expect(await token.get()).toBe('one')
  now = 61_000
  expect(await token.get()).toBe('two')
  write('token', 'three')
  token.forget()
  expect(await token.get()).toBe('three')
  rmSync(path)
  token.forget()
  expect(await token.get()).toBe('three')
})

test('a credential program is run with what it asked for, and again when its token is used up', async () => {
  const program = write(
    'login',
    `#!/bin/sh\necho run >> ${folder}/runs\ncat > /dev/null
printf '{"status":{"token":"%s-%s-%s","expirationTimestamp":"2000-01-01T00:00:00Z"}}' "$1" "$REGION" "$(wc -l < ${folder}/runs)"`,
  )
  chmodSync(program, 0o755)
  const exec = { command: program, args: ['arg'], env: [{ name: 'REGION', value: 'eu' }] }
  const path = write('config', config({ exec }))
  const connection = await loadConnection({ kubeconfig: path, env: { PATH: process.env.PATH } })
  expect(await connection.token?.get()).toBe('arg-eu-2')
})

test('a credential program beside the kubeconfig', async () => {
  chmodSync(write('login', `#!/bin/sh\necho '{"status":{"token":"t"}}'`), 0o755)
  const connection = await load(write('config', config({ exec: { command: './login' } })))
  expect(await connection.token?.get()).toBe('t')
})

test('somebody to act as, with their groups and all else that gives them rights', async () => {
  const whole = { as: 'ana', 'as-uid': '7', 'as-groups': ['ml', 'dev'], 'as-user-extra': { 'example.com/team': ['a'] } }
  expect((await load(write('config', config(whole)))).headers).toEqual({
    'Impersonate-User': 'ana',
    'Impersonate-Uid': '7',
    'Impersonate-Group': ['ml', 'dev'],
    'Impersonate-Extra-example.com%2Fteam': ['a'],
  })
  expect((await load(write('config', config({ as: 'ana' })))).headers).toEqual({ 'Impersonate-User': 'ana' })
  expect((await load(write('config', config({ token: 't' })))).headers).toBeUndefined()
})

test.each([
  ['no current context', { contexts: [] }, 'has no current context'],
  ['an unknown context', { ...config({}), 'current-context': 'there' }, 'has no context there; it has here'],
  ['a context without cluster', { 'current-context': 'x', contexts: [{ name: 'x' }] }, 'names no cluster'],
  ['a server that is no address', config({}, { server: 'nonsense' }), 'is no address'],
  ['a certificate without key', config({ 'client-certificate-data': base64('x') }), 'without its key'],
  ['a missing file', config({}, { 'certificate-authority': 'gone.pem' }), 'cannot be read'],
  ['a removed provider', config({ 'auth-provider': { name: 'gcp' } }), 'auth-provider'],
  [
    'a missing program',
    config({ exec: { command: '/no/such', installHint: 'Install it.' } }),
    'not installed\nInstall it.',
  ],
  [
    'a program that fails',
    config({ exec: { command: 'sh', args: ['-c', 'echo log in first >&2; exit 1'] } }),
    'log in first',
  ],
  ['a program without credentials', config({ exec: { command: 'echo', args: ['{}'] } }), 'without a token'],
  ['no YAML', '{', 'is not valid YAML'],
  ['a list', '[]', 'is not a mapping'],
])('%s is one clear ConfigError', async (_, content, message) => {
  const loading = loadConnection({ kubeconfig: write('config', content), env: { PATH: process.env.PATH } })
  await expect(loading).rejects.toThrow(message)
  await expect(loading).rejects.toBeInstanceOf(ConfigError)
})

test('the environment names the proxy, unless the kubeconfig does', async () => {
  const env = { HTTPS_PROXY: 'http://proxy:3128' }
  const proxyOf = async (cluster: object) =>
    (await loadConnection({ kubeconfig: write('config', config({}, cluster)), env })).proxy
  expect(await proxyOf({})).toBe('http://proxy:3128')
  expect(await proxyOf({ 'proxy-url': 'http://other' })).toBe('http://other')
  expect(await proxyOf({ server: 'https://127.0.0.1:6443' })).toBeUndefined()
})

test('no kubeconfig anywhere', async () => {
  await expect(loadConnection({ env: { HOME: folder } })).rejects.toThrow('no cluster is configured')
  await expect(loadConnection({ kubeconfig: join(folder, 'x'), env: {} })).rejects.toThrow('does not exist')
})

test('in a pod, its service account', async () => {
  write('token', 'secret')
  write('ca.crt', 'CA')
  write('namespace', 'ns\n')
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
  const connection = inClusterConnection(env, folder)
  expect(connection).toMatchObject({ server: 'https://[fd00::1]:443', namespace: 'ns', tls: { ca: 'CA' } })
  expect(await connection?.token?.get()).toBe('secret')
  rmSync(join(folder, 'token'))
  expect(() => inClusterConnection(env, folder)).toThrow('cannot be read')
  expect(inClusterConnection({}, folder)).toBeUndefined()
})
