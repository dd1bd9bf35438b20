// Commands about clusters: the operator itself, and bringing it there.
import type { Command } from 'commander'
import type { Machine } from '../home/commands.ts'
import { OPERATOR_DEFAULTS, type OperatorFlags } from './operator-flags.ts'

export function addClusterCommands(program: Command, machine: Machine, finish: (code: number) => void): void {
  program
    .command('operator')
    .description('look after the jobs of a cluster; what runs in the pods of `trainyard install`')
    .option('--kubeconfig <file>', 'another kubeconfig than usual; in a pod its service account is used')
    .option('--context <name>', 'a context of the kubeconfig')
    .option('-n, --namespace <name>', 'look after the jobs of this namespace only')
    .option('--leader-elect [boolean]', 'of several operators let one work at a time (default: true)')
    .option(
      '--lease-duration <duration>',
      'a leader silent for this long is taken for dead',
      OPERATOR_DEFAULTS.leaseDuration,
    )
    .option('--lease-name <name>', 'the Lease that the leader holds', OPERATOR_DEFAULTS.leaseName)
    .option('--lease-namespace <name>', 'where it lies (default: the namespace of the pod or the kubeconfig)')
    .option('--identity <name>', 'who we are in the Lease (default: the host and a random part)')
    .option(
      '--metrics-address <address>',
      'where /metrics, /healthz and /readyz are served, or off',
      OPERATOR_DEFAULTS.metricsAddress,
    )
    .option('--workers <number>', 'jobs looked at side by side', OPERATOR_DEFAULTS.workers)
    .option('--requests <number>', 'requests to the API under way at one time', OPERATOR_DEFAULTS.requests)
    .option('--take-over <kind...>', 'look after these kinds even where another project has defined them')
    .option('--cluster-domain <name>', "the domain of the cluster's names (default: found in /etc/resolv.conf)")
    .option(
      '--force-delete-after <duration>',
      'after its grace period, give up a pod whose node is silent; 0: never',
      OPERATOR_DEFAULTS.forceDeleteAfter,
    )
    .option('--log-level <level>', 'debug, info, warn or error', OPERATOR_DEFAULTS.logLevel)
    .action(async (flags: OperatorFlags) => {
      const { readOperatorFlags } = await import('./operator-flags.ts')
      finish(await machine.runOperator(readOperatorFlags(flags)))
    })
}
