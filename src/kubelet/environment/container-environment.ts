// A container's environment, in the order Kubernetes works it out: envFrom, then env, later ones win.
import type { ConfigMap, Container, EnvVar, Pod, Secret } from '../../../gen/kubernetes-types.ts'
import { NotYet, type ObjectReader } from '../interfaces.ts'
import { expand } from './expand.ts'
import { fieldValue, resourceValue } from './field-values.ts'

/** Changes a text that stands in the pod or a config map before references in it are expanded. */
export type Rewrite = (text: string, variable: string) => string

export async function buildEnvironment(
  pod: Pod,
  container: Container,
  objects: ObjectReader,
  rewrite: Rewrite,
): Promise<Record<string, string>> {
  const source = new ObjectValues(pod.metadata?.namespace ?? 'default', objects)
  const env = new Map<string, string>()
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    if (configMapRef) {
      const values = await source.configMap(configMapRef.name ?? '', configMapRef.optional)
      for (const [key, value] of Object.entries(values ?? {})) env.set(prefix + key, rewrite(value, prefix + key))
    }
    if (secretRef) {
      const values = await source.secret(secretRef.name ?? '', secretRef.optional)
      for (const [key, value] of Object.entries(values ?? {})) env.set(prefix + key, value)
    }
  }
  for (const variable of container.env ?? []) {
    const value = await readValue(pod, container, variable, env, source, rewrite)
    if (value !== undefined) env.set(variable.name, value)
  }
  return Object.fromEntries(env)
}

async function readValue(
  pod: Pod,
  container: Container,
  { name, value, valueFrom }: EnvVar,
  env: Map<string, string>,
  source: ObjectValues,
  rewrite: Rewrite,
): Promise<string | undefined> {
  if (!valueFrom) return expand(rewrite(value ?? '', name), (reference) => env.get(reference))
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom
  if (fieldRef) return fieldValue(pod, fieldRef.fieldPath)
  if (resourceFieldRef) return resourceValue(pod, container, resourceFieldRef)
  if (configMapKeyRef) {
    const values = await source.configMap(configMapKeyRef.name ?? '', configMapKeyRef.optional)
    const text = keyIn(values, configMapKeyRef, 'configmap')
    return text === undefined ? undefined : rewrite(text, name)
  }
  if (secretKeyRef) {
    const values = await source.secret(secretKeyRef.name ?? '', secretKeyRef.optional)
    return keyIn(values, secretKeyRef, 'secret')
  }
  return undefined
}

function keyIn(
  values: Record<string, string> | undefined,
  { name, key, optional }: { name?: string; key: string; optional?: boolean },
  kind: string,
): string | undefined {
  const value = values?.[key]
  if (value === undefined && !optional) {
    throw new NotYet(`couldn't find key ${key} in ${kind} ${name}`, 'CreateContainerConfigError')
  }
  return value
}

/** Each object is read once per container start. */
class ObjectValues {
  readonly #namespace: string
  readonly #objects: ObjectReader
  readonly #configMaps = new Map<string, ConfigMap | undefined>()
  readonly #secrets = new Map<string, Secret | undefined>()

  constructor(namespace: string, objects: ObjectReader) {
    this.#namespace = namespace
    this.#objects = objects
  }

  async configMap(name: string, optional?: boolean): Promise<Record<string, string> | undefined> {
    if (!this.#configMaps.has(name)) this.#configMaps.set(name, await this.#objects.configMap(this.#namespace, name))
    const found = this.#configMaps.get(name)
    if (!found && !optional)
      throw new NotYet(`configmap ${JSON.stringify(name)} not found`, 'CreateContainerConfigError')
    return found && (found.data ?? {})
  }

  async secret(name: string, optional?: boolean): Promise<Record<string, string> | undefined> {
    if (!this.#secrets.has(name)) this.#secrets.set(name, await this.#objects.secret(this.#namespace, name))
    const found = this.#secrets.get(name)
    if (!found && !optional) throw new NotYet(`secret ${JSON.stringify(name)} not found`, 'CreateContainerConfigError')
    if (!found) return undefined
    const decoded = Object.entries(found.data ?? {}).map(([key, value]) => [
      key,
      Buffer.from(value, 'base64').toString(),
    ])
    return { ...Object.fromEntries(decoded), ...found.stringData }
  }
}
