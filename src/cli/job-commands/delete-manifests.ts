// trainyard delete -f: everything that the manifests name, jobs with all that is theirs.
import { kindOf } from '../../api/kinds.ts'
import { isNotFound, type KubeClient, type KubeObject, type Resource } from '../../kube/index.ts'
import { checkFile } from '../check.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import type { AnyJob } from '../home/running-jobs.ts'
import { notice } from '../jobs.ts'
import { readManifests } from '../manifest/manifest.ts'
import { renderClosing, renderFindings } from '../report.ts'
import { type Placed, place } from './apply.ts'
import { Declined } from './declined.ts'
import { deleteAndTell } from './delete.ts'
import { fullName, type ShowContext, showObjects } from './output-form.ts'
import { tellWhatIsAwaited } from './patience.ts'
import { waitFor } from './watch-set.ts'

export async function deleteManifests(
  context: ShowContext,
  files: readonly string[],
  options: ClusterOptions & { wait: boolean },
): Promise<number> {
  const objects = await readObjects(context, files)
  if (!objects) return 1
  const { client, namespace, context: cluster } = await connect(context, options)
  try {
    // Nothing is deleted before it is clear where everything is.
    const placed = await Promise.all(objects.map((object) => place(client, object, namespace, options.namespace)))
    const looked = await Promise.all(placed.map((each) => lookFor(client, each)))
    const found = looked.filter((each) => each !== undefined)
    const there = [...new Map(found.map((each) => [each.object.metadata.uid, each])).values()]
    const jobs = there.filter(({ object }) => isJob(object)).map(({ object }) => object as AnyJob)
    await deleteAndTell(context, client, jobs, { wait: options.wait, logs: cluster === undefined })
    for (const each of there.filter(({ object }) => !isJob(object)).sort(byTurn)) {
      await deleteObject(context, client, each, options.wait)
    }
    if (context.names || context.format)
      await showObjects(
        context,
        there.map(({ object }) => object),
        true,
      )
    // What is left of a deletion that was cut short can be deleted, so one that is gone stops nobody.
    const missing = placed.filter((_, i) => looked[i] === undefined)
    for (const { object, resource } of missing) {
      const where = resource.namespaced ? ` in namespace ${object.metadata.namespace}` : ''
      notice(context, `no ${object.kind} "${object.metadata.name}"${where}`)
    }
    return missing.length > 0 ? 1 : 0
  } finally {
    await client.close()
  }
}

/** A manifest need not be valid for its object to be deleted, only legible. Undefined: it has been said what is not. */
async function readObjects(context: ShowContext, files: readonly string[]): Promise<KubeObject[] | undefined> {
  const { terminal, err } = context
  const read = await readManifests(files, terminal.stdin)
  const illegible = read.filter(({ manifests }) => manifests.some(({ object }) => !object))
  for (const file of illegible) {
    const checked = checkFile(file, false).filter(({ manifest }) => !manifest.object)
    terminal.err(`${[...renderFindings(file, checked, err), ...renderClosing(file, checked, err)].join('\n')}\n`)
  }
  if (illegible.length > 0) return undefined
  return read.flatMap(({ file, manifests }) =>
    manifests.map(({ object, kind, apiVersion }) => {
      const named = object as unknown as KubeObject
      if (!kind || !apiVersion) throw new Declined(`${file}: what has no kind and apiVersion cannot be deleted`)
      if (!named.metadata?.name) throw new Declined(`${file}: ${kind} has no name to be deleted by`)
      return named
    }),
  )
}

const isJob = ({ apiVersion, kind }: KubeObject): boolean => kindOf(apiVersion, kind)?.job ?? false

/** A namespace goes after what lies in it. */
const byTurn = (a: Placed, b: Placed): number => Number(b.resource.namespaced) - Number(a.resource.namespaced)

async function lookFor(client: KubeClient, { resource, object }: Placed): Promise<Placed | undefined> {
  try {
    const found = await client.get(resource, nameOf(resource, object))
    return { resource, object: { ...found, apiVersion: object.apiVersion, kind: object.kind } }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

async function deleteObject(context: ShowContext, client: KubeClient, placed: Placed, wait: boolean): Promise<void> {
  const { resource, object } = placed
  const { uid } = object.metadata
  const { namespace, name } = nameOf(resource, object)
  const patience = tellWhatIsAwaited(context, () => `waiting for ${fullName(object)} to be deleted`)
  try {
    const { gone } = await client.delete(resource, { namespace, name }, { uid, propagationPolicy: 'Background' })
    const itself = { namespace, fieldSelector: `metadata.name=${name}` }
    const isGone = (items: KubeObject[]) => (items.some((each) => each.metadata.uid === uid) ? undefined : true)
    if (wait && !gone) await waitFor(client, resource, itself, isGone)
  } finally {
    patience.end()
  }
  if (!context.names && !context.format)
    context.terminal.out(`${fullName(object)} ${wait ? 'deleted' : 'will be deleted'}\n`)
}

const nameOf = ({ namespaced }: Resource, { metadata: { namespace, name = '' } }: KubeObject) => ({
  namespace: namespaced ? namespace : undefined,
  name,
})
