// Variables of a container that the apiserver would refuse.
import type { Container, EnvFromSource, EnvVar } from '../../../../gen/kubernetes-types.ts'
import type { Issue, Path } from '../../issue.ts'
import { quote } from '../../schema/finding.ts'
import { fault, missing } from './faults.ts'
import { wrongConfigKey, wrongSubdomain, wrongVariable } from './names.ts'

const FIELDS = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
]
const MEMBER = /^metadata\.(labels|annotations)\['.*'\]$/
const RESOURCE = /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.+)$/

export function* checkEnvironment({ env, envFrom }: Container, at: Path): Generator<Issue> {
  for (const [i, variable] of (env ?? []).entries()) yield* checkVariable(variable, [...at, 'env', i])
  for (const [i, source] of (envFrom ?? []).entries()) yield* checkSource(source, [...at, 'envFrom', i])
}

function* checkVariable({ name, value, valueFrom }: EnvVar, at: Path): Generator<Issue> {
  if (!name) yield missing([...at, 'name'])
  else {
    const wrong = wrongVariable(name)
    if (wrong) yield fault([...at, 'name'], wrong)
  }
  if (!valueFrom) return
  const from: Path = [...at, 'valueFrom']
  const sources = Object.values(valueFrom).filter((source) => source)
  if (value) yield fault(from, 'may not stand beside a value')
  else if (sources.length !== 1) yield fault(from, `names ${sources.length || 'no'} sources; it takes exactly one`)
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom
  if (fieldRef && !FIELDS.includes(fieldRef.fieldPath) && !MEMBER.test(fieldRef.fieldPath))
    yield fault(
      [...from, 'fieldRef', 'fieldPath'],
      `${quote(fieldRef.fieldPath)} is not one of ${FIELDS.join(', ')}, metadata.labels['…'], metadata.annotations['…']`,
    )
  if (resourceFieldRef && !RESOURCE.test(resourceFieldRef.resource))
    yield fault(
      [...from, 'resourceFieldRef', 'resource'],
      `${quote(resourceFieldRef.resource)} is no resource of a container, such as limits.cpu or requests.memory`,
    )
  for (const [kind, ref] of Object.entries({ configMapKeyRef, secretKeyRef })) {
    if (!ref) continue
    yield* checkReference([...from, kind], ref.name)
    const wrong = ref.key ? wrongConfigKey(ref.key) : undefined
    if (!ref.key) yield missing([...from, kind, 'key'])
    else if (wrong) yield fault([...from, kind, 'key'], wrong)
  }
}

function* checkSource({ prefix, configMapRef, secretRef }: EnvFromSource, at: Path): Generator<Issue> {
  const wrong = prefix ? wrongVariable(prefix) : undefined
  if (wrong) yield fault([...at, 'prefix'], wrong)
  if (configMapRef && secretRef) yield fault(at, 'names two sources; it takes configMapRef or secretRef')
  else if (configMapRef) yield* checkReference([...at, 'configMapRef'], configMapRef.name)
  else if (secretRef) yield* checkReference([...at, 'secretRef'], secretRef.name)
  else yield fault(at, 'names no source; it takes configMapRef or secretRef')
}

function* checkReference(at: Path, name: string | undefined): Generator<Issue> {
  const wrong = name ? wrongSubdomain(name) : undefined
  if (!name) yield missing([...at, 'name'])
  else if (wrong) yield fault([...at, 'name'], wrong)
}
