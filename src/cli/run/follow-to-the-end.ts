// From a job that runs to the exit code of the command, whichever way the watching ends.
import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { CommandContext } from '../context.ts'
import type { Cluster } from '../home/connect.ts'
import { shortPath } from '../home/home-state.ts'
import { deleteAndWait, deleteJob } from './delete-job.ts'
import type { Display } from './display.ts'
import { followJob } from './follow.ts'
import { openLine } from './line.ts'
import { LiveDisplay } from './live-display.ts'
import { plainDisplay } from './plain-display.ts'
import type { Begun, RunOptions } from './run.ts'
import { JobView } from './view/job-view.ts'
import type { Replica } from './view/replica-view.ts'
import { buildSummary } from './view/summary.ts'
import { clock } from './words.ts'

const NO = 1
const TIMED_OUT = 124
const INTERRUPTED = 130
const TAIL_OF_THE_PAST = 10

type Options = RunOptions & { home?: string }

export async function followToTheEnd(
  context: CommandContext,
  cluster: Cluster,
  { job, at, attached, interrupts }: Begun,
  options: Options,
): Promise<number> {
  const { terminal } = context
  const flags = flagsFor(cluster, job.metadata.namespace)
  const { name = '' } = job.metadata
  if (options.detach) {
    interrupts.release()
    terminal.err(hintsToLeave(name, flags, false))
    return 0
  }
  const view = new JobView(job, at)
  const display = displayFor(context, view)
  const timeout = options.timeout && AbortSignal.timeout(options.timeout.millis)
  const leaving = timeout ? AbortSignal.any([interrupts.first, timeout]) : interrupts.first
  try {
    const tailLines = attached ? TAIL_OF_THE_PAST : undefined
    const end = await followJob(
      { line: openLine(cluster, options.home), view, display, home: options.home, tailLines },
      leaving,
    )
    if (end === 'finished') {
      const strayFile = (replica: Replica) => strayFileOf(context, options.home, replica)
      display.finish(buildSummary(view, Date.now(), { flags, strayFile }))
      if (options.rm) await deleteAndWait(context, cluster.client, view.job)
      return view.phase === 'Succeeded' ? 0 : NO
    }
    display.leave()
    const time = clock(view.elapsed(Date.now()))
    if (end === 'gone') {
      terminal.err(`trainyard: ${time} ${name} was deleted\n`)
      return NO
    }
    if (!interrupts.first.aborted) {
      terminal.err(`trainyard: ${time} --timeout ${options.timeout!.text} has passed; ${name} goes on\n`)
      terminal.err(hintsToLeave(name, flags, false))
      return TIMED_OUT
    }
    // Written over the one the terminal may have shown already, so that there is one in any case.
    const key = terminal.outIsTerminal ? '\r^C\n' : ''
    terminal.err(`${key}${name} goes on without this terminal.\n`)
    terminal.err(hintsToLeave(name, flags, true))
    if (await interrupts.second()) {
      await deleteJob(cluster.client, view.job)
      terminal.err(`${key}${name} deleted\n`)
    }
    return INTERRUPTED
  } finally {
    display.leave()
    interrupts.release()
  }
}

function displayFor({ terminal, out, err }: CommandContext, view: JobView): Display {
  if (!terminal.outIsTerminal || terminal.env.TERM === 'dumb') return plainDisplay(terminal, view, Date.now)
  const size = () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 })
  return new LiveDisplay(view, { terminal, out, err, size, now: Date.now })
}

function hintsToLeave(name: string, flags: string, interrupted: boolean): string {
  const stop = `trainyard delete ${name}${flags}`
  const too = interrupted ? `${' '.repeat(Math.max(2, 33 - stop.length))}(Ctrl-C again within 2 s does this too)` : ''
  return `  watch again  trainyard logs -f ${name}${flags}\n  stop it      ${stop}${too}\n`
}

function flagsFor(cluster: Cluster, namespace: string | undefined): string {
  const where = cluster.context === undefined ? '' : ` --context ${cluster.context}`
  return `${where}${namespace === undefined || namespace === 'default' ? '' : ` -n ${namespace}`}`
}

const NOT_FOUND = /(?:No such file or directory|ENOENT[^']*|cannot open|not found)[:,]? ?[^'"]*['"]([^'"]+)['"]/

/** A file that was not found where the process ran, but lies where the command was typed. */
function strayFileOf({ terminal }: CommandContext, home: string | undefined, replica: Replica): string | undefined {
  const container = replica.place.role.template.spec?.containers[replica.place.role.trainingContainer]
  if (home === undefined || container?.workingDir) return undefined
  const missing = replica.lines.map((line) => NOT_FOUND.exec(line)?.[1]).find((path) => path !== undefined)
  const here = process.cwd()
  if (!missing || isAbsolute(missing) || !existsSync(resolve(here, missing))) return undefined
  const ran = shortPath(join(home, 'pods', replica.place.podName, 'work'), terminal.env)
  return `${replica.place.key} ran in ${ran}; your files are in ${here}.`
}
