// The example as it is, for pods that find torch, Python and the libraries of this machine where they are here.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Container, PodSpec, Volume, VolumeMount } from '../../gen/kubernetes-types.ts'

interface Manifest {
  kind: string
  metadata: { name: string; namespace?: string }
  spec: { replicaSpecs: { template: { spec: PodSpec } }[] }
}

export interface Surroundings {
  namespace: string
  /** The directory with the environment's programs. */
  programs: string
  /** Further directories that pods find where they are here. */
  shared: readonly string[]
  /** First on the PATH. */
  first: string
  /** The directory that holds what claims hold. */
  claim: string
}

/** Its objects, and a volume for each of its claims: the cluster has nobody who makes one. */
export function adaptManifest(file: string, change: (text: string) => string, around: Surroundings): object[] {
  const { namespace } = around
  const objects = parseAllDocuments(change(readFileSync(file, 'utf8'))).map((each) => each.toJS() as Manifest)
  for (const { kind, metadata, spec } of objects) {
    metadata.namespace = namespace
    if (kind === 'PyTorchTrainingJob') for (const { template } of spec.replicaSpecs) furnish(template.spec, around)
  }
  const claims = objects.filter(({ kind }) => kind === 'PersistentVolumeClaim')
  return [...claims.map(({ metadata: { name } }) => buildVolume(name, around)), ...objects]
}

function furnish(spec: PodSpec, { programs, shared, first }: Surroundings): void {
  const python = execFileSync(join(programs, 'python3'), ['-c', 'import sys; print(sys.base_prefix)'])
  const system = ['/usr', '/lib', '/lib64'].filter(existsSync)
  const prefix = python.toString().trim()
  const own = [dirname(programs), ...shared, ...(prefix.startsWith('/usr') ? [] : [prefix])]
  const paths = [...system, ...own]
  const volumes: Volume[] = paths.map((path, i) => ({ name: `here-${i}`, hostPath: { path } }))
  const mounts: VolumeMount[] = paths.map((mountPath, i) => ({ name: `here-${i}`, mountPath }))
  spec.volumes = [...(spec.volumes ?? []), ...volumes]
  for (const container of spec.containers) moveIn(container, mounts, [first, programs, '/usr/bin'].join(':'))
}

function moveIn(container: Container, mounts: readonly VolumeMount[], path: string): void {
  container.volumeMounts = [...(container.volumeMounts ?? []), ...mounts]
  container.env = [...(container.env ?? []), { name: 'PATH', value: path }]
}

function buildVolume(name: string, { namespace, claim }: Surroundings): object {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `${namespace}-${name}` },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteMany'],
      hostPath: { path: claim },
      claimRef: { namespace, name },
    },
  }
}
