// Commands about clusters: the operator itself, and bringing it there.
import type { Command } from 'commander'
import { contextFor } from '../context.ts'
import type { Machine } from '../home/commands.ts'
import type { ClusterOptions } from '../home/connect.ts'
import type { Terminal } from '../output/terminal.ts'
import { OPERATOR_DEFAULTS, type OperatorFlags } from './operator-flags.ts'

interface Options extends ClusterOptions {
  color?: string | boolean
  output?: string
  yes?: boolean
}

interface InstallFlags extends Options {
  watchNamespace?: string
  image?: string
  replicas: string
  timeout: string
  takeOver?: boolean
  dryRun?: boolean
}

type Finish = (code: number) => void

export function addClusterCommands(
  program: Command,
  terminal: Terminal,
  version: string,
  machine: Machine,
  finish: Finish,
): void {
  onCluster(program, 'install', 'bring the operator and its kinds to a cluster; shows everything first, and asks')
    .option('-n, --namespace <name>', 'where the operator lives (default: trainyard)')
    .option('--watch-namespace <name>', 'look after the jobs of this namespace only')
    .option('--image <name>', "the operator's image (default: trainyard and this version)")
    .option('--replicas <number>', 'pods of the operator, of which one works', '2')
    .option('--take-over', "take over kinds of ours that somebody else's operator looks after, and stop it")
    .option('--dry-run', 'change nothing; ask the cluster whether it would take everything')
    .option('--timeout <duration>', 'how long to wait for the operator', '2m')
    .option('-o, --output <format>', 'json or yaml, with --dry-run: everything that would be created')
    .action(async (_flags, command: Command) => {
      const flags = command.optsWithGlobals<InstallFlags>()
      const { install } = await import('./install.ts')
      const { countOf, millisecondsOf } = await import('./operator-flags.ts')
      const replicas = countOf('--replicas', flags.replicas, 10)
      const timeout = millisecondsOf('--timeout', flags.timeout)
      finish(await install(contextFor(terminal, flags), { ...flags, replicas, timeout }, version))
    })

  onCluster(program, 'uninstall', 'take the operator away from a cluster; the jobs stay')
    .option('-n, --namespace <name>', 'where the operator lives (default: trainyard)')
    .option('--purge', 'delete the kinds too, and with them all jobs')
    .action(async (_flags, command: Command) => {
      const flags = command.optsWithGlobals<Options & { purge?: boolean }>()
      const { uninstall } = await import('./uninstall.ts')
      finish(await uninstall(contextFor(terminal, flags), flags))
    })

  addOperatorCommand(program, machine, finish)
}

function onCluster(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--context <name>', 'the context of your kubeconfig')
    .option('--kubeconfig <file>', 'another kubeconfig than usual')
    .option('-y, --yes', 'do not ask')
    .option('--color [when]', 'auto, always or never')
}

function addOperatorCommand(program: Command, machine: Machine, finish: Finish): void {
  const { leaseDuration, leaseName, metricsAddress, workers, requests, gangScheduler, forceDeleteAfter, logLevel } =
    OPERATOR_DEFAULTS
  program
    .command('operator')
    .description('look after the jobs of a cluster; what runs in the pods of `trainyard install`')
    .option('--kubeconfig <file>', 'another kubeconfig than usual; in a pod its service account is used')
    .option('--context <name>', 'a context of the kubeconfig')
    .option('-n, --namespace <name>', 'look after the jobs of this namespace only')
    .option('--leader-elect [boolean]', 'of several operators let one work at a time (default: true)')
    .option('--lease-duration <duration>', 'a leader silent for this long is taken for dead', leaseDuration)
    .option('--lease-name <name>', 'the Lease that the leader holds', leaseName)
    .option('--lease-namespace <name>', 'where it lies (default: the namespace of the pod or the kubeconfig)')
    .option('--identity <name>', 'who we are in the Lease (default: the host and a random part)')
    .option('--metrics-address <address>', 'where /metrics, /healthz and /readyz are served, or off', metricsAddress)
    .option('--workers <number>', 'jobs looked at side by side', workers)
    .option('--requests <number>', 'requests to the API under way at one time', requests)
    .option('--take-over <kind...>', 'look after these kinds even where another project has defined them')
    .option('--cluster-domain <name>', "the domain of the cluster's names (default: found in /etc/resolv.conf)")
    .option('--gang-scheduler <name>', 'auto, t9k, volcano, coscheduling, kueue or none', gangScheduler)
    .option(
      '--force-delete-after <duration>',
      'after its grace period, give up a pod whose node is silent; 0: never',
      forceDeleteAfter,
    )
    .option('--log-level <level>', 'debug, info, warn or error', logLevel)
    .action(async (flags: OperatorFlags) => {
      const { readOperatorFlags } = await import('./operator-flags.ts')
      finish(await machine.runOperator(readOperatorFlags(flags)))
    })
}
