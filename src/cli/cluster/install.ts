// trainyard install: shows what it will make, asks, makes it, and waits until the operator works.
import type { KubeClient, KubeObject } from '../../kube/index.ts'
import { commandToPaste, placeFlags } from '../command-to-paste.ts'
import type { CommandContext } from '../context.ts'
import { type ClusterOptions, connect } from '../home/connect.ts'
import { renderCheck } from '../job-commands/doctor-view.ts'
import { fullName } from '../job-commands/output-form.ts'
import { renderData } from '../output/data.ts'
import { UsageError } from '../usage-error.ts'
import { awaitOperator } from './await-operator.ts'
import { confirm } from './confirm.ts'
import { type Applied, applyInstallation } from './installation/apply-installation.ts'
import { type InstallationPlan, objectsOf, planInstallation, summarise } from './installation/plan-installation.ts'
import { transientLine } from './transient-line.ts'

export interface InstallOptions extends ClusterOptions {
  watchNamespace?: string
  image?: string
  replicas: number
  takeOver?: boolean
  dryRun?: boolean
  yes?: boolean
  timeout: number
}

export const DEFAULT_NAMESPACE = 'trainyard'
/** Need not be said. */
const USUAL_REPLICAS = 2

export async function install(context: CommandContext, options: InstallOptions, version: string): Promise<number> {
  requireCluster(options, 'install')
  const { client, context: name } = await connect(context, { ...options, namespace: undefined })
  try {
    const cluster = name ?? client.connection.server
    const plan = await planInstallation(client, {
      namespace: options.namespace ?? DEFAULT_NAMESPACE,
      watchNamespace: options.watchNamespace,
      image: options.image ?? `trainyard:${version}`,
      replicas: options.replicas,
      takeOver: options.takeOver ?? false,
    })
    showPlan(context, plan, cluster, options.dryRun ?? false)
    if (options.dryRun) return await tryOut(context, client, plan)
    if (!options.yes && !(await confirm(context, commandOf(options)))) return 1
    return await carryOut(context, client, plan, options.timeout)
  } finally {
    await client.close()
  }
}

/** These are about clusters; the home of this machine has its own operator. */
export function requireCluster({ context, kubeconfig }: ClusterOptions, command: string): void {
  if (context !== undefined || kubeconfig !== undefined) return
  throw new UsageError(
    `${command} needs a cluster; the home of this machine brings its operator along`,
    `trainyard ${command} --context NAME`,
  )
}

function commandOf(options: InstallOptions): string {
  const { watchNamespace, image, replicas, takeOver } = options
  return commandToPaste('install', [], {
    ...placeFlags(options),
    '--watch-namespace': watchNamespace,
    '--image': image,
    '--replicas': replicas === USUAL_REPLICAS ? undefined : replicas,
    '--take-over': takeOver,
  })
}

function showPlan({ terminal, err }: CommandContext, plan: InstallationPlan, cluster: string, dryRun: boolean): void {
  const lines = [
    `${dryRun ? 'would' : 'will'} ${plan.update ? 'update' : 'create'} in ${cluster}: ${summarise(plan)}`,
    ...(plan.rescoped ? [`looks after ${plan.rescoped.to} from now on; until now ${plan.rescoped.from}`] : []),
    ...(plan.sharesNamespace ? [`shares namespace ${plan.namespace.metadata.name}, which is left as it is`] : []),
    ...plan.left.map(({ name, because }) => `leaves ${name} alone: ${because} (take it over: --take-over)`),
    ...plan.taken.map((name) => `takes over ${name}, which somebody else has defined`),
    ...plan.stopped.map(({ namespace, name, project }) => `stops ${project}'s ${name} in namespace ${namespace}`),
  ]
  for (const [i, line] of lines.entries()) terminal.err(`${i === 0 ? line : err.paint('yellow', line)}\n`)
}

async function tryOut(context: CommandContext, client: KubeClient, plan: InstallationPlan): Promise<number> {
  const { terminal, format } = context
  const say = ({ object, word }: Applied): void => {
    const answer = word === undefined ? 'not tried: its namespace is not there yet' : `${word} (dry run)`
    if (!format) terminal.out(`${whereabouts(object)} ${answer}\n`)
  }
  await applyInstallation(client, plan, true, say)
  if (format) {
    const list = { apiVersion: 'v1', kind: 'List', metadata: {}, items: objectsOf(plan) }
    terminal.out(await renderData(list, format))
  }
  return 0
}

function whereabouts(object: KubeObject): string {
  const { namespace } = object.metadata
  return `${fullName(object)}${namespace ? ` in ${namespace}` : ''}`
}

async function carryOut(
  context: CommandContext,
  client: KubeClient,
  plan: InstallationPlan,
  timeout: number,
): Promise<number> {
  const { terminal, err } = context
  const line = transientLine(context)
  let done = 0
  const all = objectsOf(plan).length
  await applyInstallation(client, plan, false, ({ object }) => {
    done++
    line.show(`installing   ${done} of ${all}, ${fullName(object)}`)
  })
  const namespace = plan.namespace.metadata.name!
  const check = await awaitOperator(client, namespace, timeout, (words) => line.show(`operator     ${words}`))
  line.clear()
  terminal.err(`${renderCheck(check, err).join('\n')}\n`)
  return check.status === 'fine' ? 0 : 1
}
