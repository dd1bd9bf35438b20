import { setTimeout as pause } from 'node:timers/promises'
import { buildCrd } from '../../../src/api/build-crd.ts'
import { kinds } from '../../../src/api/kinds.ts'
import { mustRequest, request } from './request.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Applies every CRD and waits until its kind is served; answers the warnings by kind. Safe to do more than once. */
export async function installCrds(): Promise<Map<string, string[]>> {
  const warnings = new Map<string, string[]>()
  for (const kind of kinds) {
    const name = `${kind.plural}.${kind.group}`
    const answer = await mustRequest(
      'PATCH',
      `${CRDS}/${name}?fieldManager=trainyard-test&force=true&fieldValidation=Strict`,
      buildCrd(kind),
      'application/apply-patch+yaml',
    )
    warnings.set(kind.kind, answer.warnings)
  }
  for (const kind of kinds)
    for (const version of kind.versions) await served(`/apis/${kind.group}/${version.name}/${kind.plural}`)
  return warnings
}

async function served(path: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while ((await request('GET', path)).code !== 200) {
    if (Date.now() > deadline) throw new Error(`${path} is not served after 60 s`)
    await pause(100)
  }
}

export async function createNamespace(name: string): Promise<void> {
  const answer = await request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  })
  if (answer.code !== 201 && answer.code !== 409) throw new Error(`namespace ${name}: ${answer.code}`)
}
