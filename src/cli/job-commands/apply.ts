// trainyard apply and create: manifests into the home or a cluster, checked before the first of them is sent.
import { kindOf } from '../../api/kinds.ts'
import { isAlreadyExists, isNotFound, type KubeClient, type KubeObject, type Resource } from '../../kube/index.ts'
import { checkFile, hasErrors } from '../check.ts'
import { commandToPaste, placeFlags } from '../command-to-paste.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { readManifests } from '../manifest/manifest.ts'
import { renderClosing, renderFindings } from '../report.ts'
import { findResource } from '../run/find-resource.ts'
import { Declined } from './declined.ts'
import { fullName, type ShowContext, showObjects } from './output-form.ts'

export type Word = 'created' | 'configured' | 'unchanged'

export async function sendManifests(
  context: ShowContext,
  files: readonly string[],
  options: ClusterOptions,
  verb: 'apply' | 'create',
): Promise<number> {
  const objects = await readObjects(context, files)
  if (!objects) return 1
  const { client, namespace } = await connect(context, options)
  try {
    // Nothing is sent before it is clear where everything goes.
    const placed = await Promise.all(objects.map((object) => place(client, object, namespace, options.namespace)))
    const sent: KubeObject[] = []
    for (const { resource, object } of placed) {
      const done =
        verb === 'apply'
          ? await apply(client, resource, object)
          : await create(client, resource, object, () => waysOut(object, files, options, namespace))
      sent.push(done.object)
      if (!context.names && !context.format) context.terminal.out(`${fullName(done.object)} ${done.word}\n`)
    }
    if (context.names || context.format) await showObjects(context, sent, true)
    return 0
  } finally {
    await client.close()
  }
}

/** Undefined: it has been said what is wrong with them. */
async function readObjects(
  { terminal, err }: ShowContext,
  files: readonly string[],
): Promise<KubeObject[] | undefined> {
  const checkedFiles = (await readManifests(files, terminal.stdin)).map((file) => ({
    file,
    checked: checkFile(file, false),
  }))
  for (const { file, checked } of checkedFiles) {
    const lines = renderFindings(file, checked, err)
    if (hasErrors(checked)) lines.push(...renderClosing(file, checked, err))
    if (lines.length > 0) terminal.err(`${lines.join('\n')}\n`)
  }
  const all = checkedFiles.flatMap(({ checked }) => checked)
  if (hasErrors(all)) return undefined
  return all.flatMap(({ manifest }) => (manifest.object ? [manifest.object as unknown as KubeObject] : []))
}

export interface Placed {
  resource: Resource
  object: KubeObject
}

export async function place(
  client: KubeClient,
  object: KubeObject,
  namespace: string,
  asked: string | undefined,
): Promise<Placed> {
  const resource = await findResource(client, object.apiVersion, object.kind)
  if (!resource) throw new Declined(`the kind ${object.kind} of ${object.apiVersion} is unknown there`)
  // What another server put there means nothing to this one.
  const { managedFields: _managed, resourceVersion: _version, uid: _uid, ...metadata } = object.metadata ?? {}
  if (!resource.namespaced) return { resource, object: { ...object, metadata } }
  const own = metadata.namespace
  if (own !== undefined && asked !== undefined && own !== asked) {
    throw new Declined(`${object.kind} ${metadata.name} says namespace ${own}, and the command line says ${asked}`)
  }
  return { resource, object: { ...object, metadata: { ...metadata, namespace: own ?? namespace } } }
}

interface Sent {
  object: KubeObject
  word: Word
}

async function apply(client: KubeClient, resource: Resource, object: KubeObject): Promise<Sent> {
  const { name, namespace } = object.metadata
  if (!name)
    throw new Declined(`${object.kind} has no name to be applied by`, 'make a new one each time  trainyard create -f …')
  const at = { namespace: resource.namespaced ? namespace : undefined, name }
  const before = await client.get(resource, at).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  const after = await client.patch(
    resource,
    at,
    { type: 'apply', body: object },
    { fieldManager: 'trainyard', force: true },
  )
  return { object: withType(after, resource, object), word: wordFor(before, after) }
}

export function wordFor(before: KubeObject | undefined, after: KubeObject): Word {
  if (!before || before.metadata.uid !== after.metadata.uid) return 'created'
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? 'unchanged' : 'configured'
}

async function create(client: KubeClient, resource: Resource, object: KubeObject, hint: () => string): Promise<Sent> {
  try {
    const made = await client.create(resource, object, { fieldManager: 'trainyard' })
    return { object: withType(made, resource, object), word: 'created' }
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    throw new Declined(`${object.kind} ${object.metadata.name} exists already`, hint())
  }
}

/** By its name only a job is deleted; `delete -f` would take with it all that the files name. */
function waysOut(
  { apiVersion, kind, metadata: { name = '', namespace } }: KubeObject,
  files: readonly string[],
  options: ClusterOptions,
  usual: string,
): string {
  const filenames = files.flatMap((file) => ['-f', file])
  const change = `change it  ${commandToPaste('apply', filenames, placeFlags(options))}`
  if (!kindOf(apiVersion, kind)?.job) return change
  const where = { ...options, namespace: namespace === usual ? options.namespace : namespace }
  return `${change}\n  remove it  ${commandToPaste('delete', [name], placeFlags(where))}`
}

const withType = (answer: KubeObject, resource: Resource, { apiVersion }: KubeObject): KubeObject => ({
  ...answer,
  apiVersion: answer.apiVersion ?? apiVersion,
  kind: answer.kind ?? resource.kind,
})
