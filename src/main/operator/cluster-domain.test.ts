import { expect, test } from 'vitest'
import { clusterDomainOf } from './cluster-domain.ts'

test.each([
  ['search ml.svc.cluster.local svc.cluster.local cluster.local corp.example\nnameserver 10.0.0.10\n', 'cluster.local'],
  ['nameserver 10.0.0.10\nsearch a.svc.lab.example. svc.lab.example. lab.example.', 'lab.example'],
  ['search corp.example\n', undefined],
  ['search svc.\n', undefined],
  ['', undefined],
])('%j has the domain %s', (text, domain) => {
  expect(clusterDomainOf(text)).toBe(domain)
})
