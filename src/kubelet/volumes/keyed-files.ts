// Files whose names and content come from the API: config maps, secrets, the pod's own fields.
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  KeyToPath,
  Pod,
  ProjectedVolumeSource,
  SecretVolumeSource,
} from '../../../gen/kubernetes-types.ts'
import { fieldValue, resourceValue } from '../environment/field-values.ts'
import { NotYet, type ObjectReader } from '../interfaces.ts'
import { CannotStart } from '../process/find-program.ts'

export interface KeyedFile {
  path: string
  content: Buffer
  mode: number
}

const defaultMode = 0o644

export async function configMapFiles(
  pod: Pod,
  source: ConfigMapVolumeSource,
  objects: ObjectReader,
): Promise<KeyedFile[]> {
  const name = source.name ?? ''
  const found = await objects.configMap(namespaceOf(pod), name)
  if (!found && !source.optional) throw new NotYet(`configmap ${JSON.stringify(name)} not found`, 'FailedMount')
  const content = new Map<string, Buffer>()
  for (const [key, text] of Object.entries(found?.data ?? {})) content.set(key, Buffer.from(text))
  for (const [key, bytes] of Object.entries(found?.binaryData ?? {})) content.set(key, Buffer.from(bytes, 'base64'))
  return chooseFiles(content, source, `configmap ${JSON.stringify(name)}`)
}

export async function secretFiles(pod: Pod, source: SecretVolumeSource, objects: ObjectReader): Promise<KeyedFile[]> {
  const name = source.secretName ?? ''
  const found = await objects.secret(namespaceOf(pod), name)
  if (!found && !source.optional) throw new NotYet(`secret ${JSON.stringify(name)} not found`, 'FailedMount')
  const content = new Map<string, Buffer>()
  for (const [key, bytes] of Object.entries(found?.data ?? {})) content.set(key, Buffer.from(bytes, 'base64'))
  for (const [key, text] of Object.entries(found?.stringData ?? {})) content.set(key, Buffer.from(text))
  return chooseFiles(content, source, `secret ${JSON.stringify(name)}`)
}

export function downwardFiles(pod: Pod, items: DownwardAPIVolumeFile[] = [], mode = defaultMode): KeyedFile[] {
  return items.map((item) => {
    const container = pod.spec?.containers[0]
    const text = item.fieldRef
      ? fieldValue(pod, item.fieldRef.fieldPath)
      : item.resourceFieldRef && container
        ? resourceValue(pod, container, item.resourceFieldRef)
        : ''
    return { path: item.path, content: Buffer.from(text), mode: item.mode ?? mode }
  })
}

export async function projectedFiles(
  pod: Pod,
  source: ProjectedVolumeSource,
  objects: ObjectReader,
): Promise<KeyedFile[]> {
  const files: KeyedFile[] = []
  const mode = source.defaultMode
  for (const part of source.sources ?? []) {
    if (part.configMap) files.push(...(await configMapFiles(pod, { ...part.configMap, defaultMode: mode }, objects)))
    else if (part.secret) {
      const { name, ...rest } = part.secret
      files.push(...(await secretFiles(pod, { ...rest, secretName: name, defaultMode: mode }, objects)))
    } else if (part.downwardAPI) files.push(...downwardFiles(pod, part.downwardAPI.items, mode))
    else throw new CannotStart(`a projected volume of ${Object.keys(part).join()} cannot be had on this machine`, 128)
  }
  return files
}

/** Writes the files beside and then swaps: a home that died half-way leaves no half volume. */
export function writeFiles(directory: string, files: KeyedFile[]): void {
  const fresh = `${directory}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  for (const { path, content, mode } of files) {
    if (path.startsWith('/') || path.split('/').includes('..')) {
      throw new CannotStart(`path ${JSON.stringify(path)} leads out of its volume`, 128)
    }
    const target = join(fresh, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
    chmodSync(target, mode)
  }
  rmSync(directory, { recursive: true, force: true })
  renameSync(fresh, directory)
}

function chooseFiles(
  content: Map<string, Buffer>,
  {
    items,
    defaultMode: mode = defaultMode,
    optional,
  }: { items?: KeyToPath[]; defaultMode?: number; optional?: boolean },
  owner: string,
): KeyedFile[] {
  if (!items) return [...content].map(([path, bytes]) => ({ path, content: bytes, mode }))
  const files: KeyedFile[] = []
  for (const item of items) {
    const bytes = content.get(item.key)
    if (bytes) files.push({ path: item.path, content: bytes, mode: item.mode ?? mode })
    else if (!optional) throw new NotYet(`${owner} has no key ${JSON.stringify(item.key)}`, 'FailedMount')
  }
  return files
}

function namespaceOf(pod: Pod): string {
  return pod.metadata?.namespace ?? 'default'
}
