// Volumes and their mounts that the apiserver would refuse.
import type { Container, Volume } from '../../../../gen/kubernetes-types.ts'
import type { Issue, Path } from '../../issue.ts'
import { parseQuantity } from '../../quantity.ts'
import { quote } from '../../schema/finding.ts'
import { checkDuplicates, checkOneOf, fault, missing } from './faults.ts'
import { wrongLabel } from './names.ts'

const MOST_MODE = 0o777
const HOST_TYPES = ['DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice']
const PROPAGATION = ['None', 'HostToContainer', 'Bidirectional']

export function* checkVolumes(volumes: readonly Volume[], at: Path): Generator<Issue> {
  for (const [i, volume] of volumes.entries()) yield* checkVolume(volume, [...at, i])
  yield* checkDuplicates(volumes.map(({ name }, i) => [[...at, i, 'name'], name]))
}

function* checkVolume({ name, ...sources }: Volume, at: Path): Generator<Issue> {
  const wrong = name ? wrongLabel(name) : undefined
  if (!name) yield missing([...at, 'name'])
  else if (wrong) yield fault([...at, 'name'], wrong)
  const kinds = Object.entries(sources).filter(([, source]) => source)
  if (kinds.length > 1)
    yield fault(at, `is ${kinds.map(([kind]) => kind).join(' and ')} at once; one of them it can be`)
  const { hostPath, configMap, secret, persistentVolumeClaim, emptyDir } = sources
  if (hostPath) {
    if (!hostPath.path) yield missing([...at, 'hostPath', 'path'])
    else if (leadsUp(hostPath.path)) yield fault([...at, 'hostPath', 'path'], `${quote(hostPath.path)} contains ..`)
    yield* checkOneOf([...at, 'hostPath', 'type'], hostPath.type, HOST_TYPES)
  }
  if (configMap && !configMap.name) yield missing([...at, 'configMap', 'name'])
  if (secret && !secret.secretName) yield missing([...at, 'secret', 'secretName'])
  if (persistentVolumeClaim && !persistentVolumeClaim.claimName)
    yield missing([...at, 'persistentVolumeClaim', 'claimName'])
  for (const [kind, source] of Object.entries({ configMap, secret }))
    if (source) yield* checkKeys(source, [...at, kind])
  const limit = emptyDir?.sizeLimit === undefined ? undefined : parseQuantity(String(emptyDir.sizeLimit))
  if (limit && limit.nano < 0n)
    yield fault([...at, 'emptyDir', 'sizeLimit'], `${emptyDir?.sizeLimit} is less than nothing`)
}

function* checkKeys({ defaultMode, items }: NonNullable<Volume['configMap']>, at: Path): Generator<Issue> {
  yield* checkMode(defaultMode, [...at, 'defaultMode'])
  for (const [i, { path, mode }] of (items ?? []).entries()) {
    yield* checkMode(mode, [...at, 'items', i, 'mode'])
    yield* checkInside(path, [...at, 'items', i, 'path'])
  }
}

function* checkMode(mode: number | undefined, at: Path): Generator<Issue> {
  if (typeof mode === 'number' && (mode < 0 || mode > MOST_MODE))
    yield fault(at, `${mode} is no file mode; they go from 0 to 0777 (octal), which is ${MOST_MODE}`)
}

function* checkInside(path: string | undefined, at: Path): Generator<Issue> {
  if (path?.startsWith('/')) yield fault(at, `${quote(path)} is not relative`)
  else if (path && leadsUp(path)) yield fault(at, `${quote(path)} contains ..`)
}

/** That a mount has its volume is looked at elsewhere. */
export function* checkMounts({ volumeMounts }: Container, at: Path): Generator<Issue> {
  const mounts = (volumeMounts ?? []).map((mount, i) => ({ mount, here: [...at, 'volumeMounts', i] as Path }))
  for (const { mount, here } of mounts) {
    if (!mount.mountPath) yield missing([...here, 'mountPath'])
    yield* checkInside(mount.subPath, [...here, 'subPath'])
    yield* checkInside(mount.subPathExpr, [...here, 'subPathExpr'])
    if (mount.subPath && mount.subPathExpr) yield fault([...here, 'subPathExpr'], 'may not stand beside a subPath')
    yield* checkOneOf([...here, 'mountPropagation'], mount.mountPropagation, PROPAGATION)
  }
  yield* checkDuplicates(mounts.map(({ mount, here }) => [[...here, 'mountPath'], mount.mountPath]))
}

const leadsUp = (path: string): boolean => path.split('/').includes('..')
