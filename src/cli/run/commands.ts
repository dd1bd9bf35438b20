// The command line of `trainyard run`.
import type { Command } from 'commander'
import { commandToPaste, placeFlags } from '../command-to-paste.ts'
import { type CommandContext, contextFor } from '../context.ts'
import type { Machine } from '../home/commands.ts'
import type { Terminal } from '../output/terminal.ts'
import { timeoutOf } from '../timeout.ts'
import { UsageError } from '../usage-error.ts'

interface Options {
  color?: string | boolean
  filename?: string[]
  namespace?: string
  context?: string
  kubeconfig?: string
  name?: string
  replace?: boolean
  rm?: boolean
  detach?: boolean
  timeout?: string
  workers?: string
  torchrun?: boolean
}

export function addRunCommand(
  program: Command,
  terminal: Terminal,
  machine: Machine,
  finish: (code: number) => void,
): void {
  program
    .command('run')
    .description('run a job and follow it to its end; its result is the exit code')
    .argument('[script...]', 'after --: a script of yours and its arguments, with --workers')
    .option('-f, --filename <file...>', 'files, directories, or - for standard input', gather)
    .option('-n, --namespace <name>', "where it runs, unless its manifest says (default: 'default')")
    .option('--context <name>', 'on this cluster of your kubeconfig instead of on this machine')
    .option('--kubeconfig <file>', 'the kubeconfig to take it from')
    .option('--name <name>', 'run the job under this name')
    .option('--replace', 'delete the job first if it is there')
    .option('--rm', 'delete the job when it has ended')
    .option('--detach', 'return when the job has been created')
    .option('--timeout <duration>', 'stop following after, for example, 90s, 5m or 1h30m; the job goes on')
    .option('--workers <number>', 'no manifest: this many processes of the script after --')
    .option('--torchrun', 'with --workers: start the script with torchrun')
    .option('--color [when]', 'auto, always or never')
    .action(async (script: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const context = contextFor(terminal, options)
      const timeout = timeoutOf(options.timeout)
      if (options.detach && options.rm)
        throw new UsageError('--rm needs somebody who sees the job end; --detach goes away', 'trainyard run --help')
      const { prepareRun } = await import('./prepare.ts')
      const files =
        options.workers === undefined ? filesOf(options, script) : await writeManifest(context, options, script)
      const prepared = await prepareRun(context, files, options.workers === undefined ? options.name : undefined)
      if (!prepared) return finish(1)
      const home = await beginHome(context, options, machine)
      const { runJob } = await import('./run.ts')
      const again = commandToPaste(
        'run',
        files.flatMap((file) => ['-f', file]),
        placeFlags(options),
      )
      finish(await runJob(context, prepared, { ...options, timeout }, home?.started, again))
    })
}

/** A home that does not run yet starts while the rest of this command is read. */
async function beginHome({ terminal }: CommandContext, { context, kubeconfig }: Options, { launcher }: Machine) {
  if (context !== undefined || kubeconfig !== undefined) return undefined
  const { ensureHome } = await import('../home/start-home.ts')
  const { homeDirectory, shortPath } = await import('../home/home-state.ts')
  const dir = homeDirectory(terminal.env)
  const waiting = (): void => terminal.err(`trainyard: starting the home (${shortPath(dir, terminal.env)}) …\n`)
  const started = ensureHome(dir, launcher, waiting)
  // Whoever waits for it hears why it did not start.
  started.catch(() => {})
  return { started }
}

function gather(file: string, before: string[] | undefined): string[] {
  return [...(before ?? []), file]
}

async function writeManifest(context: CommandContext, options: Options, script: readonly string[]): Promise<string[]> {
  if (options.filename?.length) throw new UsageError('run takes -f or --workers, not both', 'trainyard run --help')
  const { buildScriptManifest, checkScript, writeScriptManifest } = await import('./script-manifest.ts')
  const { workers = '', torchrun = false, name } = options
  const run = { workers: /^\d+$/.test(workers) ? Number(workers) : 0, torchrun, script, name, cwd: process.cwd() }
  checkScript(run)
  const manifest = await buildScriptManifest(run)
  writeScriptManifest(manifest, run.cwd)
  const { terminal, err } = context
  const said = `${manifest.file} written; next time: trainyard run -f ${manifest.file}`
  if (terminal.outIsTerminal) terminal.err(`${err.paint('dim', 'manifest')} ${said}\n`)
  else terminal.err(`trainyard: ${said}\n`)
  return [manifest.file]
}

function filesOf({ filename, torchrun }: Options, script: readonly string[]): string[] {
  if (torchrun)
    throw new UsageError(
      '--torchrun goes with --workers; a manifest says it in spec.torchrunConfig',
      'trainyard run --help',
    )
  if (!filename?.length)
    throw new UsageError('run needs a manifest, or --workers and a script', 'trainyard run -f job.yaml')
  if (script.length > 0) throw new UsageError('run takes its manifests with -f', `trainyard run -f ${script[0]}`)
  if (filename.filter((name) => name === '-').length > 1)
    throw new UsageError('-f - can be given only once; there is one standard input')
  return filename
}
