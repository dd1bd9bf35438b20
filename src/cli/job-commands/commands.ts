// Commands about jobs. Their code is loaded only when they are called.
import type { Command } from 'commander'
import type { Machine } from '../home/commands.ts'
import type { ClusterOptions } from '../home/connect.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../usage-error.ts'
import { checkWhatIsMeant, type DeletionWords } from './deletion-words.ts'
import type { ShowContext } from './output-form.ts'

interface Options extends ClusterOptions {
  color?: string | boolean
  output?: string
}

type Finish = (code: number) => void

export function addJobCommands(program: Command, terminal: Terminal, machine: Machine, finish: Finish): void {
  const show = async (options: Options): Promise<ShowContext> => {
    const { showContextFor } = await import('./output-form.ts')
    return showContextFor(terminal, options)
  }

  onCluster(program, 'get', 'list jobs of all kinds, or some of them by name; `get nodes` lists the nodes')
    .argument('[name...]')
    .option('-A, --all-namespaces', 'the jobs of all namespaces')
    .option('-l, --selector <labels>', SELECTOR)
    .option('-w, --watch', 'go on with a row for every change, until Ctrl-C')
    .action(async (names: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<
        Options & { allNamespaces?: boolean; selector?: string; watch?: boolean }
      >()
      const { getJobs } = await import('./get.ts')
      finish(await getJobs(await show(options), names, options))
    })

  for (const verb of ['apply', 'create'] as const) {
    onCluster(program, verb, VERBS[verb])
      .option(
        '-f, --filename <file...>',
        'files, directories (what is directly in them), or - for standard input',
        gather,
      )
      .action(async (_options, command: Command) => {
        const options = command.optsWithGlobals<Options & { filename?: string[] }>()
        if (!options.filename) throw new UsageError(`${verb} needs a manifest`, `trainyard ${verb} -f job.yaml`)
        const { sendManifests } = await import('./apply.ts')
        finish(await sendManifests(await show(options), options.filename, options, verb))
      })
  }

  onCluster(program, 'describe', 'show everything about a job: replicas, attempts, conditions, events')
    .argument('<name>')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { describeJob } = await import('./describe.ts')
      finish(await describeJob(await show(options), name, options))
    })

  onCluster(program, 'events', 'show what happened to a job, or to all')
    .argument('[name]')
    .option('-A, --all-namespaces', 'of the jobs of all namespaces')
    .action(async (name: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<Options & { allNamespaces?: boolean }>()
      const { showEvents } = await import('./events.ts')
      finish(await showEvents(await show(options), name, options))
    })

  onCluster(program, 'logs', 'show what all replicas of a job wrote, in the order of time', false)
    .argument('<name>')
    .option('-f, --follow', 'go on until the job has ended')
    .option('--replica <name>', 'of one replica, for example worker-1')
    .option('--attempt <number>', 'of one attempt; 1 is the first')
    .option('--tail <lines>', 'the last lines of each replica and attempt')
    .option('--timestamps', 'with the time each line was written')
    .option('--no-prefix', 'without the replica before each line')
    .option('-c, --container <name>', 'of another container than the one that trains')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options & { prefix: boolean }>()
      const { showLogs } = await import('./logs.ts')
      finish(await showLogs(await show(options), name, options))
    })

  onCluster(program, 'exec', "run a command in a replica's environment and directory", false)
    .argument('<name>')
    .argument('<replica>', 'for example worker-1')
    .argument('[command...]', 'after --')
    .option('-i, --stdin', 'pass standard input on to it')
    .option('-t, --tty', 'give it a terminal')
    .option('-c, --container <name>', 'in another container than the one that trains')
    .action(async (name: string, replica: string, words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { execInReplica } = await import('./exec.ts')
      finish(await execInReplica(await show(options), name, replica, words, options))
    })

  onCluster(program, 'debug', 'open a shell in a replica of a copy of a job, in which nothing trains', false)
    .argument('<name>')
    .argument('<replica>', 'for example worker-1')
    .option('--keep', 'keep the copy afterwards')
    .action(async (name: string, replica: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options & { keep?: boolean }>()
      const { debugReplica } = await import('./debug.ts')
      finish(await debugReplica(await show(options), name, replica, options))
    })

  onCluster(program, 'tensorboard', "open a job's TensorBoard on a port of this machine", false)
    .argument('<name>')
    .option('--port <number>', 'this port (default: a free one)')
    .option('--no-open', 'print the address and open no browser')
    .option('-o, --output <format>', 'json or yaml')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options & { port?: string; open: boolean }>()
      const { openTensorBoard } = await import('./tensorboard.ts')
      finish(await openTensorBoard(await show(options), name, options))
    })

  onCluster(program, 'delete', 'delete jobs with their pods, services and logs, or all that manifests name')
    .argument('[name...]')
    .option('-f, --filename <file...>', 'what these files or directories name, or - for standard input', gather)
    .option('-l, --selector <labels>', SELECTOR)
    .option('--all', 'all jobs of the namespace')
    .option('-A, --all-namespaces', 'with --all: the jobs of all namespaces')
    .option('--no-wait', 'do not wait until they are gone')
    .action(async (names: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<Options & DeletionWords & { wait: boolean }>()
      checkWhatIsMeant(names, options)
      if (options.filename) {
        const { deleteManifests } = await import('./delete-manifests.ts')
        return finish(await deleteManifests(await show(options), options.filename, options))
      }
      const { deleteJobs } = await import('./delete.ts')
      finish(await deleteJobs(await show(options), names, options))
    })

  onCluster(program, 'wait', 'wait until a job has succeeded, or is what --for says')
    .argument('<name>')
    .option('--for <phase>', 'Succeeded, Failed, Finished, Running, Paused or Deleted (default: Succeeded)')
    .option('--timeout <duration>', 'give up after, for example, 90s, 5m or 1h30m; exit code 124 then')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options & { for?: string; timeout?: string }>()
      const { waitForJob } = await import('./wait.ts')
      finish(await waitForJob(await show(options), name, options))
    })

  onCluster(program, 'doctor', 'say whether this machine, or the cluster of a context, is fit to run jobs', false)
    .option('-f, --filename <file...>', 'with a context: whether it can run the jobs of these files', gather)
    .option('-o, --output <format>', 'json or yaml')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options & { filename?: string[] }>()
      const { contextFor } = await import('../context.ts')
      const context = contextFor(terminal, options)
      if (options.context !== undefined || options.kubeconfig !== undefined) {
        const { examineTheCluster } = await import('../cluster/doctor-cluster.ts')
        return finish(await examineTheCluster(context, options, program.version() ?? ''))
      }
      if (options.filename)
        throw new UsageError('doctor -f asks about a cluster', 'trainyard doctor --context NAME -f …')
      const { examine } = await import('./doctor.ts')
      finish(await examine(context, machine))
    })

  onCluster(program, 'pause', 'stop the pods of a job and keep its counters')
    .argument('<name>')
    .option('--no-wait', 'do not wait until it is paused')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options & { wait: boolean }>()
      const { pauseJob } = await import('./pause.ts')
      finish(await pauseJob(await show(options), name, options))
    })

  onCluster(program, 'resume', 'let a paused job go on')
    .argument('<name>')
    .option('--no-wait', 'do not wait until it runs')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options & { wait: boolean }>()
      const { resumeJob } = await import('./pause.ts')
      finish(await resumeJob(await show(options), name, options))
    })

  onCluster(program, 'scale', 'give an elastic job another number of nodes')
    .argument('<name>')
    .argument('<nodes>')
    .option('--no-wait', 'do not wait until they have joined or left')
    .action(async (name: string, nodes: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options & { wait: boolean }>()
      const { scaleJob } = await import('./scale.ts')
      finish(await scaleJob(await show(options), name, nodes, options))
    })
}

const SELECTOR = "those with these labels: team=a, team!=a, 'team in (a, b)', 'team notin (a, b)', team, '!team'"

const VERBS = {
  apply: 'make jobs and other objects be as manifests say',
  create: 'create jobs and other objects from manifests',
}

function gather(file: string, before: string[] | undefined): string[] {
  return [...(before ?? []), file]
}

/** A command that talks to the home, or to the cluster of a context. */
function onCluster(program: Command, name: string, description: string, showsObjects = true): Command {
  const command = program
    .command(name)
    .description(description)
    .option('-n, --namespace <name>', 'the namespace (default: the one of the kubeconfig)')
    .option('--context <name>', 'a context of your kubeconfig instead of the home of this machine')
    .option('--kubeconfig <file>', 'another kubeconfig than usual')
    .option('--color [when]', 'auto, always or never')
  return showsObjects ? command.option('-o, --output <format>', 'json, yaml, name or wide') : command
}
