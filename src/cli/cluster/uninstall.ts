// trainyard uninstall: takes the operator away; the kinds and the jobs stay unless they are asked to go too.
import { CRDS, isNotFound, type KubeClient, NAMESPACES, pause, type Resource } from '../../kube/index.ts'
import { commandToPaste, placeFlags } from '../command-to-paste.ts'
import type { CommandContext } from '../context.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { JOB_RESOURCES } from '../home/running-jobs.ts'
import { Declined } from '../job-commands/declined.ts'
import { confirm } from './confirm.ts'
import { DEFAULT_NAMESPACE, requireCluster } from './install.ts'
import { type Found, findInstalled } from './installation/find-installed.ts'
import { definitionName, findDefinitions } from './others.ts'
import { transientLine } from './transient-line.ts'

export interface UninstallOptions extends ClusterOptions {
  purge?: boolean
  yes?: boolean
}

const PATIENCE = 120_000
const PACE = 200
const SLOW = new Set([NAMESPACES.kind, CRDS.kind])

export async function uninstall(context: CommandContext, options: UninstallOptions): Promise<number> {
  requireCluster(options, 'uninstall')
  const { client, context: name } = await connect(context, { ...options, namespace: undefined })
  const namespace = options.namespace ?? DEFAULT_NAMESPACE
  try {
    const where = name ?? client.connection.server
    const installed = await findInstalled(client, namespace)
    // Jobs that stay need the namespace they are in.
    const holdsJobs = !options.purge && (await countJobs(client, namespace)) > 0
    const found = installed.filter(({ resource }) => !(holdsJobs && resource.kind === NAMESPACES.kind))
    const definitions = (await findDefinitions(client)).filter(({ state }) => state === 'ours')
    if (found.length === 0 && !(options.purge && definitions.length > 0)) {
      throw new Declined(`trainyard is not installed in namespace ${namespace} of ${where}`)
    }
    const jobs = await countJobs(client)
    const kept = `${definitions.length} CRDs and ${jobs} ${jobs === 1 ? 'job' : 'jobs'}`
    const words = found.map(({ object }) => `${object.kind} ${object.metadata.name}`)
    context.terminal.err(
      `will delete in ${where}: ${[...words, ...(options.purge ? [kept] : [])].join(', ')}\n${
        options.purge ? '' : `${kept} stay (--purge deletes them too)\n`
      }${found.length < installed.length ? `namespace ${namespace} stays, because there are jobs in it\n` : ''}`,
    )
    const command = commandToPaste('uninstall', [], { ...placeFlags(options), '--purge': options.purge })
    if (!options.yes && !(await confirm(context, command))) return 1
    const crds = options.purge ? definitions.map(({ kind }) => definitionName(kind)) : []
    await remove(context, client, found, crds)
    context.terminal.err(`trainyard is gone from ${where}${options.purge ? '' : `; ${kept} stay`}\n`)
    return 0
  } finally {
    await client.close()
  }
}

async function countJobs(client: KubeClient, namespace?: string): Promise<number> {
  const counts = await Promise.all(
    JOB_RESOURCES.map((resource) =>
      client.list(resource, { namespace, limit: 1 }).then(
        ({ items, remainingItemCount }) => items.length + (remainingItemCount ?? 0),
        (error: unknown) => {
          if (isNotFound(error)) return 0
          throw error
        },
      ),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

async function remove(
  context: CommandContext,
  client: KubeClient,
  found: readonly Found[],
  crds: readonly string[],
): Promise<void> {
  const line = transientLine(context)
  const all = [
    ...found.map(({ resource, object }) => ({
      resource,
      name: object.metadata.name!,
      within: object.metadata.namespace,
    })),
    ...crds.map((name) => ({ resource: CRDS as Resource, name, within: undefined })),
  ]
  for (const { resource, name, within } of all) {
    line.show(`deleting     ${resource.kind} ${name}`)
    const at = { name, ...(resource.namespaced && { namespace: within }) }
    await client.delete(resource, at, { propagationPolicy: 'Background' }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }
  // A namespace and a definition are gone only when everything in them is.
  for (const { resource, name } of all.filter(({ resource }) => SLOW.has(resource.kind))) {
    line.show(`waiting      for ${resource.kind} ${name} to be gone`)
    await awaitGone(client, resource, name)
  }
  line.clear()
}

async function awaitGone(client: KubeClient, resource: Resource, name: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < PATIENCE; await pause(PACE)) {
    const there = await client.get(resource, { name }).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false
        throw error
      },
    )
    if (!there) return
  }
  throw new Declined(`${resource.kind} ${name} is still being deleted after ${PATIENCE / 1000} s`)
}
