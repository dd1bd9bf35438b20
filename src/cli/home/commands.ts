// Commands about the home of this machine.
import type { Command } from 'commander'
import type { OperatorRun } from '../cluster/operator-flags.ts'
import { contextFor } from '../context.ts'
import type { Terminal } from '../output/terminal.ts'
import type { HomePlan, PlanFlags } from './home-plan.ts'
import type { Launcher } from './start-home.ts'

/** What the commands need from the program they are part of. */
export interface Machine {
  launcher: Launcher
  serveHome(options: { dir: string; port?: number; plan?: HomePlan }): Promise<number>
  runOperator(run: OperatorRun): Promise<number>
  /** Whether volumes can be mounted here at the paths pods want them. */
  mountsVolumes(): Promise<boolean>
  /** How many processes a pod may have here unless said otherwise; undefined where they cannot be limited. */
  limitsProcesses(): Promise<number | undefined>
}

interface Options extends PlanFlags {
  color?: string | boolean
  output?: string
  foreground?: boolean
  port?: string
  force?: boolean
  leaveRunning?: boolean
  purge?: boolean
}

export function addHomeCommands(
  program: Command,
  terminal: Terminal,
  machine: Machine,
  finish: (code: number) => void,
): void {
  program
    .command('up')
    .description('start the home of this machine: a Kubernetes API, the operator, and pods as processes')
    .option('--foreground', 'run in this terminal instead of in the background')
    .option('--port <number>', 'listen on this port of the loopback interface (default: a free one)')
    .option('--nodes <number>', 'play so many nodes on this machine (default: as the last time, at first 1)')
    .option(
      '--capacity <amounts>',
      'what each node has, for example cpu=8,nvidia.com/gpu=4 (default: what the machine has)',
    )
    .option('--strict-queues', 'a queue without namespaceSelector is open to no namespace')
    .option(
      '--pod-pids-limit <number>',
      'how many processes and threads a pod may have; 0: any number (default: 16384)',
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { homeDirectory } = await import('./home-state.ts')
      const { planOf } = await import('./home-plan.ts')
      const { portOf, startTheHome } = await import('./up.ts')
      const port = portOf(options.port)
      const plan = planOf(options)
      if (options.foreground) finish(await machine.serveHome({ dir: homeDirectory(terminal.env), port, plan }))
      else finish(await startTheHome(contextFor(terminal, options), machine.launcher, port, plan))
    })

  program
    .command('down')
    .description('stop the home; its data stays')
    .option('--force', 'pause the jobs that run, without asking')
    .option('--leave-running', 'leave the jobs’ processes to the next home')
    .option('--purge', 'remove the data of the home as well')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { stopTheHome } = await import('./down.ts')
      finish(await stopTheHome(contextFor(terminal, options), options))
    })

  program
    .command('status')
    .description('whether the home runs, where, and what it does')
    .option('-o, --output <format>', 'json or yaml')
    .action(async (_options, command: Command) => {
      const { showHome } = await import('./status.ts')
      finish(await showHome(contextFor(terminal, command.optsWithGlobals<Options>())))
    })

  program
    .command('kubeconfig')
    .description('print the kubeconfig of the home, for kubectl and other clients')
    .action(async (_options, command: Command) => {
      const { printKubeconfig } = await import('./up.ts')
      finish(printKubeconfig(contextFor(terminal, command.optsWithGlobals<Options>())))
    })
}
