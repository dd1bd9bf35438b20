// What a manifest needs from a cluster: its images and what it mounts.
import type { PodSpec, PodTemplateSpec } from '../../../gen/kubernetes-types.ts'
import { read } from '../../core/read.ts'
import { isForbidden, isNotFound, type KubeClient } from '../../kube/index.ts'
import type { Checked } from '../check.ts'
import type { Check } from '../job-commands/doctor-view.ts'
import { findResource } from '../run/find-resource.ts'

interface Mounted {
  kind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim'
  name: string
}

export function examineImages(checked: readonly Checked[]): Check {
  const name = 'image'
  const templates = templatesOf(checked)
  const containers = templates.flatMap(({ spec }) => [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])])
  const nameless = containers.find(({ image }) => !image)
  if (nameless) {
    const message = `container ${nameless.name} names no image; a cluster cannot run it`
    return { name, status: 'problem', message, fix: 'give it an image that has its program' }
  }
  const images = [...new Set(containers.map(({ image }) => image!))]
  const programs = [...new Set(containers.flatMap(({ command }) => command?.slice(0, 1) ?? []))]
  const [are, they] = images.length > 1 ? ['are', 'they are'] : ['is', 'it is']
  const own = programs.length === 1 ? `your machine's ${programs[0]}` : "your machine's programs"
  return { name, status: 'fine', message: `${images.join(', ')} ${are} named; ${they} used there, not ${own}` }
}

/** ConfigMaps, Secrets and claims: in the file, in the cluster, or missing. Undefined: nothing is mounted. */
export async function examineVolumes(
  checked: readonly Checked[],
  client: KubeClient,
  namespace: string,
): Promise<Check | undefined> {
  const name = 'volumes'
  const mounted = unique(templatesOf(checked).flatMap(({ spec }) => mountedBy(spec)))
  const hostPaths = templatesOf(checked).flatMap(({ spec }) =>
    (spec?.volumes ?? []).flatMap((v) => v.hostPath?.path ?? []),
  )
  if (mounted.length === 0 && hostPaths.length === 0) return undefined
  const inFile = new Set(checked.map(({ manifest }) => `${manifest.kind} ${manifest.name}`))
  const words: string[] = []
  const missing: string[] = []
  for (const each of mounted) {
    const spelled = `${each.kind} ${each.name}`
    if (inFile.has(spelled)) words.push(`${spelled} is in the file`)
    else if (await isThere(client, each, namespace)) words.push(`${spelled} is there`)
    else missing.push(spelled)
  }
  if (missing.length > 0) {
    const [are, fix] = missing.length > 1 ? ['are', 'them'] : ['is', 'it']
    const message = `${missing.join(', ')} ${are} neither in the file nor in namespace ${namespace}`
    return { name, status: 'problem', message, fix: `create ${fix} there first, or add ${fix} to the file` }
  }
  if (hostPaths.length > 0) {
    const message = `${[...new Set(hostPaths)].join(', ')} must be there on every node that may get a pod`
    return { name, status: 'remark', message: [...words, message].join('; ') }
  }
  return { name, status: 'fine', message: words.join(', ') }
}

async function isThere(client: KubeClient, { kind, name }: Mounted, namespace: string): Promise<boolean> {
  const resource = (await findResource(client, 'v1', kind))!
  return client.get(resource, { namespace, name }).then(
    () => true,
    (error: unknown) => {
      // Whoever may not look at Secrets may still use them.
      if (isForbidden(error)) return true
      if (isNotFound(error)) return false
      throw error
    },
  )
}

function mountedBy(spec: PodSpec | undefined): Mounted[] {
  return (spec?.volumes ?? []).flatMap((volume): Mounted[] => {
    const { configMap, secret, persistentVolumeClaim: claim } = volume
    if (configMap?.name && !configMap.optional) return [{ kind: 'ConfigMap', name: configMap.name }]
    if (secret?.secretName && !secret.optional) return [{ kind: 'Secret', name: secret.secretName }]
    return claim ? [{ kind: 'PersistentVolumeClaim', name: claim.claimName }] : []
  })
}

function templatesOf(checked: readonly Checked[]): PodTemplateSpec[] {
  return checked.flatMap(({ job }) => (job ? read(job).roles.map(({ template }) => template) : []))
}

function unique(all: readonly Mounted[]): Mounted[] {
  return [...new Map(all.map((each) => [`${each.kind} ${each.name}`, each])).values()]
}
