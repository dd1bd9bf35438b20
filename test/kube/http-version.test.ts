import { mkdtempSync, rmSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Authority } from '../../scripts/real/certificates.ts'
import { KubeClient } from '../../src/kube/client.ts'
import { PODS } from '../../src/kube/resource.ts'
import { line, pod } from './faulty-server.ts'

test('requests and watches go by HTTP/1.1, even to a server that would rather have HTTP/2', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-http-'))
  const authority = new Authority(folder)
  await authority.create()
  const { cert, key } = await authority.issue('server', { name: 'server', servesAs: ['IP:127.0.0.1'] })
  const versions: string[] = []
  const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion)
    response.end(request.url?.includes('watch') ? line('ADDED', pod('p', 1)) : JSON.stringify(pod('p', 1)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new KubeClient({
    server: `https://127.0.0.1:${port}`,
    namespace: 'default',
    tls: { ca: authority.cert },
  })
  try {
    await client.get(PODS, { namespace: 'default', name: 'p' })
    for await (const _ of client.watch(PODS, { resourceVersion: '1' })) break
    expect(versions).toEqual(['1.1', '1.1'])
  } finally {
    await client.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
