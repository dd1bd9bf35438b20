// The command line: which commands there are and what they take. Their code is loaded only when they are called,
// so that a quick answer stays quick.
import { Command, CommanderError } from 'commander'
import { addClusterCommands } from './cluster/commands.ts'
import { wordsForCommandLine } from './command-line-words.ts'
import { contextFor } from './context.ts'
import { addHomeCommands, type Machine } from './home/commands.ts'
import { addJobCommands } from './job-commands/commands.ts'
import type { Terminal } from './output/terminal.ts'
import { addQueueCommands } from './queue-commands/commands.ts'
import { reportRefusal } from './refusal.ts'
import { addRunCommand } from './run/commands.ts'
import { UsageError } from './usage-error.ts'

interface Options {
  filename?: string[]
  output?: string
  color?: string | boolean
  strict?: boolean
  namespace?: string
  script?: string
  job?: string
}

/** Runs one command line and returns its exit code. */
export async function runProgram(
  args: readonly string[],
  terminal: Terminal,
  version: string,
  machine?: Machine,
): Promise<number> {
  let exitCode = 0
  const finish = (code: number): void => {
    exitCode = code
  }
  const program = buildProgram(terminal, version, finish)
  if (machine) {
    addRunCommand(program, terminal, machine, finish)
    // Somebody waits for a job: nothing else is described first.
    if (args[0] !== 'run') {
      addHomeCommands(program, terminal, machine, finish)
      addJobCommands(program, terminal, machine, finish)
      addQueueCommands(program, terminal, finish)
      addClusterCommands(program, terminal, version, machine, finish)
    }
  }
  try {
    if (args.length === 0) terminal.out(program.helpInformation())
    else await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const usage = error instanceof CommanderError ? wordsForCommandLine(error, program, args) : error
    if (!(usage instanceof UsageError)) return reportRefusal(terminal, error)
    terminal.err(`trainyard: ${usage.message}\n${usage.hint ? `  try  ${usage.hint}\n` : ''}`)
    return 2
  }
}

function buildProgram(terminal: Terminal, version: string, finish: (code: number) => void): Command {
  const program = new Command('trainyard')
    .description('Distributed training jobs: on your own machine, and on Kubernetes with the same file.')
    .version(version, '--version', 'print the version')
    .option('--color [when]', 'auto, always or never')
    .helpCommand('help [command]', 'say more about a command')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: () => {} })

  withFiles(program, 'validate', 'check manifests without running anything')
    .option('--strict', 'treat warnings as errors')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { validateFiles } = await import('./validate.ts')
      finish(await validateFiles(contextFor(terminal, options), filesOf(options, 'validate'), options.strict ?? false))
    })

  withFiles(program, 'plan', 'show what a job would bring into the cluster')
    .option('-n, --namespace <name>', "where the job would run, unless its manifest says (default: 'default')")
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { planFiles } = await import('./plan.ts')
      finish(await planFiles(contextFor(terminal, options), filesOf(options, 'plan'), options.namespace))
    })

  withFiles(program, 'rehearse', 'play a job in virtual time, with whatever may go wrong')
    .option('--script <file>', 'what happens when: exits, evictions, pauses (docs/rehearse.md)')
    .option('--job <name>', 'which one, where the files have several')
    .option('-n, --namespace <name>', "where the job would run, unless its manifest says (default: 'default')")
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { rehearseFiles } = await import('./rehearse.ts')
      const choice = { script: options.script, job: options.job, namespace: options.namespace }
      finish(await rehearseFiles(contextFor(terminal, options), filesOf(options, 'rehearse'), choice))
    })

  program
    .command('explain')
    .description('describe a kind or one of its fields')
    .argument('<kind[.path]>', 'for example pytorchtrainingjob.spec.elastic')
    .option('-o, --output <format>', 'json or yaml')
    .option('--color [when]', 'auto, always or never')
    .action(async (subject: string, _options, command: Command) => {
      const { explainSubject } = await import('./explain.ts')
      finish(await explainSubject(contextFor(terminal, command.optsWithGlobals<Options>()), subject))
    })
  return program
}

/** A command that works on manifests. */
function withFiles(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option(
      '-f, --filename <file...>',
      'files, directories (what is directly in them), or - for standard input',
      gather,
    )
    .option('-o, --output <format>', 'json or yaml')
    .option('--color [when]', 'auto, always or never')
}

function gather(file: string, before: string[] | undefined): string[] {
  return [...(before ?? []), file]
}

function filesOf(options: Options, command: string): string[] {
  if (!options.filename?.length) throw new UsageError(`${command} needs a manifest`, `trainyard ${command} -f job.yaml`)
  const stdins = options.filename.filter((name) => name === '-').length
  if (stdins > 1) throw new UsageError('-f - can be given only once; there is one standard input')
  return options.filename
}
