// Brings each volume of a pod about as a file or directory on this machine.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HostPathVolumeSource, Pod, Volume } from '../../../gen/kubernetes-types.ts'
import { NotYet, type ObjectReader } from '../interfaces.ts'
import { CannotStart } from '../process/find-program.ts'
import {
  configMapFiles,
  downwardFiles,
  type KeyedFile,
  projectedFiles,
  secretFiles,
  writeFiles,
} from './keyed-files.ts'

export interface VolumePlaces {
  /** The pod's own directory for volumes. */
  podVolumes: string
  /** Where claims are kept: they outlive pods. */
  claims: string
}

export interface ProvidedVolumes {
  directories: Map<string, string>
  /** Volumes whose content is given by the API, and not added to. */
  keyed: Set<string>
  /** Volumes that are the machine's own directories. */
  hosted: Set<string>
  /** Claims that this pod may only read, whatever its mounts say. */
  readOnly: Set<string>
}

const cannotMount = 128

export async function provideVolumes(pod: Pod, places: VolumePlaces, objects: ObjectReader): Promise<ProvidedVolumes> {
  const provided: ProvidedVolumes = { directories: new Map(), keyed: new Set(), hosted: new Set(), readOnly: new Set() }
  for (const volume of pod.spec?.volumes ?? []) {
    const directory = join(places.podVolumes, volume.name)
    if (isKeyed(volume)) {
      // Written once: a program may already stand in it, and what a pod was started with stays as it was.
      if (!existsSync(directory)) writeFiles(directory, await keyedFiles(pod, volume, objects))
      provided.directories.set(volume.name, directory)
      provided.keyed.add(volume.name)
    } else {
      if (volume.hostPath) provided.hosted.add(volume.name)
      if (volume.persistentVolumeClaim?.readOnly) provided.readOnly.add(volume.name)
      provided.directories.set(volume.name, await plainDirectory(pod, volume, places, objects))
    }
  }
  return provided
}

/** What lies outside the pod's directory and goes with it. */
export function removeMemoryVolumes(podUid: string): void {
  if (existsSync(memoryDirectory))
    rmSync(join(memoryDirectory, `trainyard-${podUid}`), { recursive: true, force: true })
}

function isKeyed(volume: Volume): boolean {
  return Boolean(volume.configMap ?? volume.secret ?? volume.downwardAPI ?? volume.projected)
}

async function keyedFiles(pod: Pod, volume: Volume, objects: ObjectReader): Promise<KeyedFile[]> {
  if (volume.configMap) return configMapFiles(pod, volume.configMap, objects)
  if (volume.secret) return secretFiles(pod, volume.secret, objects)
  if (volume.projected) return projectedFiles(pod, volume.projected, objects)
  return downwardFiles(pod, volume.downwardAPI?.items, volume.downwardAPI?.defaultMode)
}

async function plainDirectory(
  pod: Pod,
  volume: Volume,
  { podVolumes, claims }: VolumePlaces,
  objects: ObjectReader,
): Promise<string> {
  if (volume.emptyDir) return makeEmptyDirectory(pod, volume, podVolumes)
  if (volume.hostPath) return hostDirectory(volume.name, volume.hostPath)
  if (volume.persistentVolumeClaim) {
    const { claimName } = volume.persistentVolumeClaim
    const namespace = pod.metadata?.namespace ?? 'default'
    if (!(await objects.persistentVolumeClaim(namespace, claimName))) {
      throw new NotYet(`persistentvolumeclaim ${JSON.stringify(claimName)} not found`, 'FailedMount')
    }
    const kept = join(claims, namespace, claimName)
    mkdirSync(kept, { recursive: true })
    return kept
  }
  const kinds = Object.keys(volume).filter((key) => key !== 'name')
  // A volume that names no source is an emptyDir, as the API server defaults it.
  if (kinds.length === 0) return makeEmptyDirectory(pod, volume, podVolumes)
  const message = `volume ${JSON.stringify(volume.name)} is of type ${kinds.join()}, which cannot be had on this machine`
  throw new CannotStart(message, cannotMount)
}

const memoryDirectory = '/dev/shm'

export function isInMemory({ emptyDir }: Volume): boolean {
  return emptyDir?.medium === 'Memory' && existsSync(memoryDirectory)
}

/** Where an emptyDir is, whether it has been made or not. */
export function emptyDirectoryOf(pod: Pod, volume: Volume, podVolumes: string): string {
  if (!isInMemory(volume)) return join(podVolumes, volume.name)
  return join(memoryDirectory, `trainyard-${pod.metadata?.uid}`, volume.name)
}

function makeEmptyDirectory(pod: Pod, volume: Volume, podVolumes: string): string {
  const directory = emptyDirectoryOf(pod, volume, podVolumes)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

function hostDirectory(name: string, { path, type = '' }: HostPathVolumeSource): string {
  const shown = `hostPath ${path} of volume ${JSON.stringify(name)}`
  const fail = (problem: string): never => {
    throw new CannotStart(`${shown} ${problem}`, cannotMount)
  }
  try {
    if (type === 'DirectoryOrCreate') mkdirSync(path, { recursive: true })
    if (type === 'FileOrCreate' && !existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '', { flag: 'a' })
    }
  } catch {
    return fail('cannot be made on this machine')
  }
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return fail('is not on this machine')
  if (type.startsWith('Directory') && !stats.isDirectory()) fail('is not a directory')
  if (type.startsWith('File') && !stats.isFile()) fail('is not a file')
  if (type === 'Socket' && !stats.isSocket()) fail('is not a socket')
  if (type === 'CharDevice' && !stats.isCharacterDevice()) fail('is not a character device')
  if (type === 'BlockDevice' && !stats.isBlockDevice()) fail('is not a block device')
  return path
}
