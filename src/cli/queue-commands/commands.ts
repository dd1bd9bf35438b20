// Commands about queues. Their code is loaded only when they are called.
import type { Command } from 'commander'
import type { ClusterOptions } from '../home/connect.ts'
import type { ShowContext } from '../job-commands/output-form.ts'
import type { Terminal } from '../output/terminal.ts'

interface Options extends ClusterOptions {
  color?: string | boolean
  output?: string
}

export function addQueueCommands(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  const show = async (options: Options): Promise<ShowContext> => {
    const { showContextFor } = await import('../job-commands/output-form.ts')
    return showContextFor(terminal, options)
  }
  const queue = program.command('queue').description('see what waits in which queue, and open and close them')

  onCluster(queue, 'list', 'list the queues: what they use of what they may use')
    .alias('ls')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { showQueues } = await import('./run.ts')
      finish(await showQueues(await show(options), options))
    })

  onCluster(queue, 'describe', 'show a queue: its rules, who runs in it, who waits for what')
    .argument('<name>')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { describeQueue } = await import('./run.ts')
      finish(await describeQueue(await show(options), name, options))
    })

  for (const verb of ['open', 'close'] as const) {
    onCluster(queue, verb, verb === 'open' ? 'let jobs start from a queue again' : 'start nothing more from a queue')
      .argument('<name>')
      .action(async (name: string, _options, command: Command) => {
        const options = command.optsWithGlobals<Options>()
        const { setClosed } = await import('./run.ts')
        finish(await setClosed(await show(options), name, verb === 'close', options))
      })
  }
}

function onCluster(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--context <name>', 'a context of your kubeconfig instead of the home of this machine')
    .option('--kubeconfig <file>', 'another kubeconfig than usual')
    .option('-o, --output <format>', 'json, yaml, name or wide')
    .option('--color [when]', 'auto, always or never')
}
